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
use std::collections::HashMap;

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
    /// The name that stands for it on the canister's list, escaped: the canister's words.
    pub name: Option<String>,
}

impl Shown {
    /// As a flat list, for the window. A single value has its own line, and so has what is empty.
    fn arguments(&self, path: &str, role: Role, out: &mut Vec<Argument>) {
        let mut push = |text: Option<String>, raw: &str, number, kind, name| {
            out.push(Argument {
                path: path.to_owned(),
                text,
                raw: raw.to_owned(),
                number,
                role,
                kind,
                name,
            });
        };
        let mut line = |text, raw: &str| push(text, raw, None, LeafKind::Plain, None);
        match self {
            Self::Nothing => line(None, "null"),
            Self::Leaf(leaf) => {
                push(
                    Some(leaf.words()),
                    &leaf.candid,
                    leaf.number.clone(),
                    leaf.kind,
                    leaf.name.as_ref().map(|name| name.label.to_string()),
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
                    value.arguments(&nested(path, name), role, out);
                }
            }
            Self::Variant(tag, value) => match value.as_ref() {
                Self::Nothing => {
                    let raw = format!("variant {{ {} }}", plain(tag));
                    line(Some(plain(tag)), &raw);
                }
                value => value.arguments(&nested(path, tag), role, out),
            },
        }
    }
}

impl Shown {
    /// As a flat list, each line with who filled its slot.
    fn lines(&self, layout: &Layout, path: &str, out: &mut Vec<Argument>) {
        match (layout, self) {
            (Layout::Slot(slot), shown) => shown.arguments(path, slot.role, out),
            (Layout::Record(fields), Self::Record(values))
                if path.is_empty() || !values.is_empty() =>
            {
                let fields: HashMap<&str, &Layout> = (fields.iter())
                    .map(|(name, layout)| (name.as_str(), layout))
                    .collect();
                for (name, value) in values {
                    let path = nested(path, name);
                    match fields.get(name.as_str()) {
                        Some(layout) => value.lines(layout, &path, out),
                        None => value.arguments(&path, Role::None, out),
                    }
                }
            }
            (Layout::Case(case), shown) => match shown.below_options() {
                Self::Variant(tag, value) if !matches!(value.as_ref(), Self::Nothing) => {
                    value.lines(&case.held, &nested(path, tag), out);
                }
                shown => shown.arguments(path, Role::None, out),
            },
            (Layout::Record(_), shown) => shown.arguments(path, Role::None, out),
        }
    }

    fn below_options(&self) -> &Self {
        let mut shown = self;
        while let Self::Some(held) = shown {
            shown = held;
        }
        shown
    }
}

/// The path one member further.
fn nested(path: &str, name: &str) -> String {
    let name = plain(name);
    if path.is_empty() {
        name
    } else {
        format!("{path}.{name}")
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
            raw: true,
        };
        let mut out = Vec::new();
        let nodes = &self.resolved_method().args;
        for (index, ((node, value), layout)) in nodes.iter().zip(args).zip(&self.layout).enumerate()
        {
            let path = match nodes.len() {
                1 => String::new(),
                _ => format!("arg{index}"),
            };
            display.shown(node, value).lines(layout, &path, &mut out);
        }
        out
    }
}
