//! What a prepared call will do, decoded from the bytes that will be sent.

use super::{
    canister::Canister,
    definition::fill_template,
    display::{Argument, LeafKind},
    names::plain,
    plan::Plan,
};
use crate::{
    ids::{PreviewId, to_hex},
    interface::{CodecError, IDLValue},
    profile::{Effect, RelPath, Root},
};
use serde::Serialize;
use serde_json::Value;

/// A prepared call as a prepare tool answers it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preview {
    /// What commit takes.
    pub preview_id: PreviewId,
    /// The method.
    pub method: String,
    /// The canister's id.
    pub canister: String,
    /// What the call does, in a few words.
    pub title: String,
    /// What it does; `grant` names positions.
    pub effect: Option<Effect>,
    /// The arguments, formatted and raw.
    pub arguments: Value,
    /// The exact bytes, lower-case hexadecimal.
    pub arg_hex: String,
}

/// A call's arguments, decoded from its bytes, for the window that a person sees.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decoded {
    /// What the call does, in a few words.
    pub title: String,
    /// One line a single value.
    pub arguments: Vec<Argument>,
}

impl Plan {
    /// The preview of a call with these argument bytes.
    ///
    /// # Errors
    ///
    /// Bytes that are not exactly a value of the method's argument types, or have another case than
    /// the tool's.
    pub fn preview(
        &self,
        preview_id: PreviewId,
        canister: &Canister,
        arg: &[u8],
    ) -> Result<Preview, CodecError> {
        let args = self.decode_made(arg)?;
        Ok(Preview {
            preview_id,
            method: plain(self.method()),
            canister: canister.id.to_text(),
            title: self.title_of(&args, canister),
            effect: self.effect.clone(),
            arguments: self.arguments_json(&args, canister),
            arg_hex: to_hex(arg),
        })
    }

    /// The arguments in these bytes, for the window that a person sees.
    ///
    /// # Errors
    ///
    /// Bytes that are not exactly a value of the method's argument types, or have another case than
    /// the tool's.
    pub fn decode_for_person(
        &self,
        canister: &Canister,
        arg: &[u8],
    ) -> Result<Decoded, CodecError> {
        let args = self.decode_made(arg)?;
        Ok(Decoded {
            title: self.title_of(&args, canister),
            arguments: self.argument_lines(&args, canister),
        })
    }

    /// The arguments in the bytes of a call that this tool makes: another case has other words.
    fn decode_made(&self, arg: &[u8]) -> Result<Vec<IDLValue>, CodecError> {
        let args = self.args.decode_exact(arg)?;
        if self.makes(&args) {
            Ok(args)
        } else {
            Err(CodecError::Value)
        }
    }

    /// The title with the values that its template asks for.
    fn title_of(&self, args: &[IDLValue], canister: &Canister) -> String {
        let lines = self.argument_lines(args, canister);
        fill_template(&self.title, |position| {
            let path = RelPath::parse(position, Root::Args).ok()?;
            let short = super::skip::plain_path(&path).short();
            let line = lines.iter().find(|line| line.path == short)?;
            match line.kind {
                LeafKind::Amount | LeafKind::Address | LeafKind::Time | LeafKind::Plain => {
                    line.text.clone()
                }
                // Words that somebody chose would read as ours.
                LeafKind::Bytes | LeafKind::Memo | LeafKind::Text | LeafKind::Func => None,
            }
        })
    }
}
