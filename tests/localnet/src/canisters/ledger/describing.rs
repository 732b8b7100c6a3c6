//! What the ledger says of calls (ICRC-21): as the production ledger does, in the words of older
//! versions of the standard, or untruly.

use super::{Ledger, methods::CONSENT, types::ConsentResult};
use crate::{canisters::Call, network::Reject};
use candid::{CandidType, Decode, Encode, Nat, Principal};
use icrc_ledger_types::{
    icrc1::transfer::TransferArg,
    icrc2::{approve::ApproveArgs, transfer_from::TransferFromArgs},
    icrc21::{
        errors::{ErrorInfo, Icrc21Error},
        lib::build_icrc21_consent_info_for_icrc1_and_icrc2_endpoints as consent_info,
        requests::{ConsentMessageMetadata, ConsentMessageRequest, DisplayMessageType},
        responses::{ConsentMessage, FieldsDisplay, Value},
    },
};
use serde::{Deserialize, Serialize};

/// How it describes calls.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Describing {
    /// As the production ledger, in the form that is asked for.
    #[default]
    Truly,
    /// Truly, as fields, whatever is asked for.
    AsFields,
    /// The same as the second version of the standard has them: every value is a text.
    AsTexts,
    /// Truly, as pages of lines: the first version's form for small screens.
    AsLines,
    /// As if the anonymous principal was paid.
    OtherPayee,
    /// As if it was ten times as much.
    OtherAmount,
    /// With an error of the standard.
    Refusing,
    /// With bytes that are no Candid.
    Garbage,
    /// Not at all: it does not list the standard, though it has the method.
    Unlisted,
}

#[derive(CandidType)]
enum Answer<M> {
    Ok(Info<M>),
    #[expect(dead_code, reason = "the type has to be whole")]
    Err(Icrc21Error),
}

#[derive(CandidType)]
struct Info<M> {
    consent_message: M,
    metadata: ConsentMessageMetadata,
}

/// The form for small screens of the first version.
#[derive(CandidType)]
enum First {
    #[expect(dead_code, reason = "the type has to be whole")]
    GenericDisplayMessage(String),
    LineDisplayMessage {
        pages: Vec<Page>,
    },
}

#[derive(CandidType)]
struct Page {
    lines: Vec<String>,
}

/// The form for small screens of the second version.
#[derive(CandidType)]
enum Second {
    #[expect(dead_code, reason = "the type has to be whole")]
    GenericDisplayMessage(String),
    FieldsDisplayMessage {
        intent: String,
        fields: Vec<(String, String)>,
    },
}

impl Ledger {
    /// Sets how it describes calls from now on.
    pub const fn set_describing(&mut self, describing: Describing) {
        self.describing = describing;
    }

    /// The words come from the production ledger's own library, its rounding of amounts included.
    pub(super) fn consent_message(
        &mut self,
        call: &Call<'_>,
        arg: ConsentMessageRequest,
    ) -> Result<ConsentResult, Reject> {
        let arg = match self.describing {
            Describing::OtherPayee | Describing::OtherAmount => lied(arg, self.describing)?,
            Describing::Refusing => {
                return Ok(Err(Icrc21Error::ConsentMessageUnavailable(ErrorInfo {
                    description: "This ledger keeps it to itself.".to_owned(),
                })));
            }
            Describing::Truly
            | Describing::AsFields
            | Describing::AsTexts
            | Describing::AsLines
            | Describing::Garbage
            | Describing::Unlisted => arg,
        };
        Ok(self.described(call, arg))
    }

    fn described(&self, call: &Call<'_>, mut arg: ConsentMessageRequest) -> ConsentResult {
        match self.describing {
            Describing::AsFields | Describing::AsTexts | Describing::AsLines => {
                arg.user_preferences.device_spec = Some(DisplayMessageType::FieldsDisplay);
            }
            Describing::Truly
            | Describing::OtherPayee
            | Describing::OtherAmount
            | Describing::Refusing
            | Describing::Garbage
            | Describing::Unlisted => {}
        }
        consent_info(
            arg,
            call.caller,
            self.settings.fee.into(),
            self.settings.symbol.clone(),
            self.settings.name.clone(),
            self.settings.decimals,
        )
    }

    /// The answer where it is not of the type that the interface states.
    pub(super) fn described_in_another_form(
        &self,
        call: &Call<'_>,
        method: &str,
        arg: &[u8],
    ) -> Option<Result<Vec<u8>, Reject>> {
        if method != CONSENT {
            return None;
        }
        let as_texts = match self.describing {
            Describing::Garbage => return Some(Ok(b"These bytes are no Candid.".to_vec())),
            Describing::AsTexts => true,
            Describing::AsLines => false,
            Describing::Truly
            | Describing::AsFields
            | Describing::OtherPayee
            | Describing::OtherAmount
            | Describing::Refusing
            | Describing::Unlisted => return None,
        };
        let info = self
            .described(call, Decode!(arg, ConsentMessageRequest).ok()?)
            .ok()?;
        let ConsentMessage::FieldsDisplayMessage(display) = info.consent_message else {
            return None;
        };
        let metadata = info.metadata;
        let FieldsDisplay { intent, fields } = display;
        let fields = fields
            .into_iter()
            .map(|(label, value)| (label, as_text(value)));
        let reply = if as_texts {
            let fields = fields.collect();
            let consent_message = Second::FieldsDisplayMessage { intent, fields };
            Encode!(&Answer::Ok(Info {
                consent_message,
                metadata
            }))
        } else {
            let lines = |(label, value)| vec![format!("{label}:"), value];
            let pages = std::iter::once(vec![intent]).chain(fields.map(lines));
            let pages = pages.map(|lines| Page { lines }).collect();
            let consent_message = First::LineDisplayMessage { pages };
            Encode!(&Answer::Ok(Info {
                consent_message,
                metadata
            }))
        };
        Some(reply.map_err(|error| Reject::trap(format!("cannot encode the reply: {error}"))))
    }
}

fn as_text(value: Value) -> String {
    match value {
        Value::TokenAmount {
            decimals,
            amount,
            symbol,
        } => {
            let one = 10_u64.pow(decimals.into());
            let fraction = format!("{:0width$}", amount % one, width = decimals.into());
            let fraction = fraction.trim_end_matches('0');
            let point = if fraction.is_empty() { "" } else { "." };
            format!("{}{point}{fraction} {symbol}", amount / one)
        }
        Value::TimestampSeconds { amount } | Value::DurationSeconds { amount } => {
            format!("{amount} s")
        }
        Value::Text { content } => content,
    }
}

/// The question about another call.
fn lied(
    mut question: ConsentMessageRequest,
    describing: Describing,
) -> Result<ConsentMessageRequest, Reject> {
    let other = |amount: &mut Nat, to: &mut icrc_ledger_types::icrc1::account::Account| {
        if describing == Describing::OtherPayee {
            *to = Principal::anonymous().into();
        } else {
            *amount = amount.clone() * 10_u8;
        }
    };
    let arg = question.arg.as_slice();
    let arg = match question.method.as_str() {
        "icrc1_transfer" => Decode!(arg, TransferArg).and_then(|mut arg| {
            other(&mut arg.amount, &mut arg.to);
            Encode!(&arg)
        }),
        "icrc2_approve" => Decode!(arg, ApproveArgs).and_then(|mut arg| {
            other(&mut arg.amount, &mut arg.spender);
            Encode!(&arg)
        }),
        "icrc2_transfer_from" => Decode!(arg, TransferFromArgs).and_then(|mut arg| {
            other(&mut arg.amount, &mut arg.to);
            Encode!(&arg)
        }),
        _ => return Ok(question),
    };
    question.arg = arg.map_err(|error| Reject::trap(format!("no such arguments: {error}")))?;
    Ok(question)
}
