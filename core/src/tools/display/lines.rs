//! A call's arguments as a flat list, for the window that a person sees.

use super::{
    super::{
        canister::Canister,
        names::plain,
        plan::{Layout, Plan, Role},
    },
    Display, Leaf, LeafKind, Shown,
};
use crate::{interface::IDLValue, text::escaped};
use num_bigint::BigInt;
use serde_json::Value;

/// One argument of a call for the window that a person sees.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Argument {
    /// Where it is, in the interface's names: `to`, `items[0].id`.
    pub path: String,
    /// Formatted as its kind says; `None` for an option that holds nothing.
    pub text: Option<String>,
    /// Candid text, whole, with hidden characters escaped.
    pub raw: String,
    /// The number, where the value is one: base units of an amount.
    pub number: Option<BigInt>,
    /// Who filled it.
    pub role: Role,
    /// What kind of value it is.
    pub kind: LeafKind,
}

impl Shown {
    /// As a flat list, for the window. A single value has its own line, and so has what is empty.
    fn arguments(&self, path: &str, role: Role, out: &mut Vec<Argument>) {
        let nested = |name: &str| {
            let name = plain(name);
            if path.is_empty() {
                name
            } else {
                format!("{path}.{name}")
            }
        };
        let mut push = |text: Option<String>, raw: &str, number, kind| {
            out.push(Argument {
                path: path.to_owned(),
                text,
                raw: raw.to_owned(),
                number,
                role,
                kind,
            });
        };
        let mut line = |text, raw: &str| push(text, raw, None, LeafKind::Plain);
        match self {
            Self::Nothing => line(None, "null"),
            Self::Leaf(leaf) => {
                push(
                    Some(leaf.words()),
                    &leaf.candid,
                    leaf.number.clone(),
                    leaf.kind,
                );
            }
            Self::Some(held) => held.arguments(path, role, out),
            Self::Tuple(values) | Self::Vec(values) if values.is_empty() => {
                line(Some("vec {}".to_owned()), "vec {}");
            }
            Self::Record(fields) if fields.is_empty() => {
                line(Some("record {}".to_owned()), "record {}");
            }
            Self::Tuple(values) | Self::Vec(values) => {
                for (index, value) in values.iter().enumerate() {
                    value.arguments(&format!("{path}[{index}]"), role, out);
                }
            }
            Self::Record(fields) => {
                for (name, value) in fields {
                    value.arguments(&nested(name), role, out);
                }
            }
            Self::Variant(tag, value) => match value.as_ref() {
                Self::Nothing => {
                    let raw = format!("variant {{ {} }}", plain(tag));
                    line(Some(plain(tag)), &raw);
                }
                value => value.arguments(&nested(tag), role, out),
            },
        }
    }
}

impl Leaf {
    /// The value in words for a person.
    fn words(&self) -> String {
        match (&self.text, &self.raw) {
            (Some(text), _) => escaped(text),
            // Without decimals a number could pass for one of tokens.
            (None, Value::String(digits)) if self.kind == LeafKind::Amount => {
                format!("{digits} base units")
            }
            (None, Value::String(text)) => escaped(text),
            (None, raw) => raw.to_string(),
        }
    }
}

impl Plan {
    /// The arguments of a call, decoded: one line a single value, in the interface's order.
    pub(in crate::tools) fn argument_lines(
        &self,
        args: &[IDLValue],
        canister: &Canister,
    ) -> Vec<Argument> {
        let display = Display {
            resolved: &self.resolved,
            canister,
        };
        let mut out = Vec::new();
        for (index, (node, value)) in self.method.args.iter().zip(args).enumerate() {
            let shown = display.shown(node, value);
            match (&self.layout, &shown) {
                (Layout::Fields(slots), Shown::Record(fields)) => {
                    for (name, value) in fields {
                        let slot = slots.iter().find(|slot| slot.exact == *name);
                        let role = slot.map_or(Role::None, |slot| slot.role);
                        value.arguments(&plain(name), role, &mut out);
                    }
                }
                (Layout::Fields(slots) | Layout::Arguments(slots), shown) => {
                    let role = slots.get(index).map_or(Role::None, |slot| slot.role);
                    let path = match self.method.args.len() {
                        1 => String::new(),
                        _ => format!("arg{index}"),
                    };
                    shown.arguments(&path, role, &mut out);
                }
            }
        }
        out
    }
}
