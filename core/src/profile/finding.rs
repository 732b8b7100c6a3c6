//! What is wrong with a document, or with what it says of an interface.

use serde::{Serialize, Serializer};

use super::tags::Provenance;
use crate::text::escaped;

/// One thing in a document that is not as its author means it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Finding {
    /// Which kind of thing.
    pub code: FindingCode,
    /// The document.
    pub from: Provenance,
    /// The keys that lead to it in the document. A place stands there as [`RelPath`] shows it, which
    /// may not be how the document writes it.
    ///
    /// [`RelPath`]: super::RelPath
    pub at: Vec<String>,
    /// The method or the type, and the position in it: `icrc1_transfer $args[0].amount`. Empty where
    /// it is about the document as a whole.
    pub place: String,
    /// The tag, such as `value` or `effect.grant`.
    pub tag: String,
    /// What is the matter, in a sentence.
    pub message: String,
    /// What to do about it, in a sentence.
    pub advice: String,
}

impl Finding {
    /// The finding with what is hidden in its sentences written out: they quote the document and the
    /// interface. Its keys stay as the document writes them.
    #[must_use]
    pub(crate) fn escaped(self) -> Self {
        Self {
            place: escaped(&self.place),
            tag: escaped(&self.tag),
            message: escaped(&self.message),
            advice: escaped(&self.advice),
            ..self
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// What was written has no effect, or another than it says.
    Error,
    /// It has its effect, and is probably not all that was meant.
    Warning,
}

macro_rules! finding_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $severity:ident;)*) => {
        /// The kinds of finding. Their codes are an interface (`PROFILE.md`).
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum FindingCode {
            $($(#[$doc])* $name,)*
        }

        impl FindingCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The stable code.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// How much it matters.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$name => Severity::$severity,)*
                }
            }
        }
    };
}

finding_codes! {
    /// The document is not of the format.
    Form = "P_FORM", Error;
    /// The format has no such tag.
    UnknownTag = "P_UNKNOWN_TAG", Error;
    /// The interface has no such method, type, position or case.
    NoPlace = "P_NO_PLACE", Error;
    /// The tag does not fit the position's type.
    Misfit = "P_MISFIT", Error;
    /// The tag is at odds with the method or with another tag.
    Contradictory = "P_CONTRADICTORY", Error;
    /// The stamp cannot be one.
    Stamp = "P_STAMP", Error;
    /// The outcome key cannot class a reply.
    Outcome = "P_OUTCOME", Error;
    /// The pattern is not run.
    Pattern = "P_PATTERN", Error;
    /// A canister or a site says what only a pack or the person may say.
    NotTrusted = "P_NOT_TRUSTED", Warning;
    /// A pack says what this is, and its word stays.
    Covered = "P_COVERED", Warning;
    /// The method has no tool for what is said of it.
    NoTool = "P_NO_TOOL", Warning;
    /// The tag says nothing here.
    Unused = "P_UNUSED", Warning;
    /// The words are cut.
    Words = "P_WORDS", Warning;
}

impl Serialize for FindingCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
