//! What is told of an intent, from the stored record alone.
//!
//! Every sentence a model reads is one of the list below and carries nothing from outside. What
//! came from outside stands only in fields of its own.

use serde_json::{Map, Value, json};

use super::words::{Case, Outcome, Retry};
use crate::ids::{ContentHash, PreviewId};
use serde::{Deserialize, Serialize};

/// What asks for the answer.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Asked {
    /// A commit that came before the intent ended, and waited.
    Commit,
    /// A commit that came after the intent had ended.
    LateCommit,
    /// A preparation of the same call.
    Prepare,
    /// A look without side effects (`wallet_intent`).
    Look,
}

/// What becomes of a preparation whose identity an intent has.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum PrepareAgain {
    /// Answer with this intent, `repeated`.
    Repeat,
    /// Answer with this intent's end, once, `repeated`; the next preparation is a new call.
    TellEnd,
    /// This intent is settled and told, or settled before anything was asked of it: a new call.
    New,
}

/// Whether a preparation made this preview or met it.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Status {
    /// Made now.
    Prepared,
    /// Met: it was made before.
    Repeated,
}

impl Status {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Repeated => "repeated",
        }
    }
}

/// The tool to call next.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Next {
    /// Its name.
    pub tool: String,
    /// Its input.
    pub input: NextInput,
    /// Seconds to wait before it.
    pub after_s: Option<u64>,
}

/// The input of the tool to call next.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum NextInput {
    /// `{preview_id}`.
    Preview(PreviewId),
    /// The inputs of the preparation, as they were given: a JSON object.
    SameInputs(Vec<u8>),
    /// Inputs that the agent has to correct.
    Corrected,
}

/// One answer of `commit`, `prepare_…` or `wallet_intent`.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Of a preparation: whether it made the preview.
    pub status: Option<Status>,
    /// What became of the call; `None` where nothing was ever asked of it and a preparation or a
    /// look is answered.
    pub outcome: Option<Outcome>,
    /// `unknown`, where the outcome is of the last attempt and an earlier one may have executed.
    pub earlier_outcome: Option<Outcome>,
    /// What kind of that outcome: one of [`Case`], or the path of the reply's case.
    pub case: Option<String>,
    /// The stable code of the obstacle, where there is one.
    pub code: Option<&'static str>,
    /// The preview that this answer is about, and that `commit_preview` means.
    pub preview: PreviewId,
    /// The intent that was asked, whose end it may name: another one than `preview` where a
    /// successor has taken its place.
    pub of: PreviewId,
    /// What the canister said, JSON.
    pub details: Option<Value>,
    /// What the last look at the block log came to.
    pub finding: Option<Value>,
    /// Whether and how to go on.
    pub retry: Retry,
    /// The tool to call next.
    pub next: Option<Next>,
    /// Our sentence for `content[0]`.
    pub sentence: String,
    /// What it says of the intent's end: pass it on in [`Event::Told`](super::Event::Told).
    pub names_end: NamesEnd,
}

/// What an answer says of an intent's end.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NamesEnd {
    /// Nothing.
    No,
    /// It names the end to who waited for it or asked for it by the preview.
    ToWaiter,
    /// It names the end to a preparation of the same call.
    ToPreparation,
}

impl Answer {
    /// Whether the tool result is marked as an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self.outcome {
            None
            | Some(
                Outcome::Success
                | Outcome::AlreadyDone
                | Outcome::Declined
                | Outcome::AwaitingConfirmation,
            ) => false,
            Some(Outcome::Unknown) => self.case.as_deref() != Some(Case::InFlight.as_str()),
            Some(
                Outcome::NotExecuted
                | Outcome::RetrySame
                | Outcome::RetryNew
                | Outcome::FixInput
                | Outcome::Fail
                | Outcome::Reconcile,
            ) => true,
        }
    }

    /// The JSON of `structuredContent`, keys in fixed order.
    #[must_use]
    pub fn structured(&self) -> Value {
        let mut out = Map::new();
        if let Some(status) = self.status {
            out.insert("status".into(), status.as_str().into());
        }
        if let Some(outcome) = self.outcome {
            out.insert("outcome".into(), outcome.as_str().into());
        }
        if let Some(earlier) = self.earlier_outcome {
            out.insert("earlier_outcome".into(), earlier.as_str().into());
        }
        if let Some(case) = &self.case {
            out.insert("case".into(), case.as_str().into());
        }
        if let Some(code) = self.code {
            out.insert("code".into(), code.into());
        }
        let preview = self.preview.to_string();
        out.insert("preview_id".into(), preview.as_str().into());
        out.insert("preview".into(), json!({ "preview_id": preview }));
        if let Some(details) = &self.details {
            out.insert("details".into(), details.clone());
        }
        if let Some(finding) = &self.finding {
            out.insert("finding".into(), finding.clone());
        }
        out.insert("retry".into(), self.retry.as_str().into());
        out.insert(
            "next".into(),
            self.next.as_ref().map_or(Value::Null, Next::to_json),
        );
        Value::Object(out)
    }

    /// Hash of what is told, for the audit line and [`Event::Told`](super::Event::Told).
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.structured().to_string().as_bytes())
    }
}

impl Next {
    fn to_json(&self) -> Value {
        let input = match &self.input {
            NextInput::Preview(preview) => json!({ "preview_id": preview.to_string() }),
            NextInput::SameInputs(inputs) => {
                serde_json::from_slice(inputs).unwrap_or_else(|_| json!({}))
            }
            NextInput::Corrected => Value::Null,
        };
        let mut out = Map::new();
        out.insert("tool".into(), self.tool.as_str().into());
        out.insert("input".into(), input);
        out.insert("after_s".into(), self.after_s.into());
        Value::Object(out)
    }
}
