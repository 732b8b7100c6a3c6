//! Random arguments that have a rule each: types, the profile that tags them, values, and what a
//! caller gives back of what it was shown.

use super::{
    Rng,
    types::{Fields, Label, Model, Prim, Ty},
    values::{self, Val},
};
use countersign_core::ids::{ContentHash, Principal, to_hex};
use icrc_ledger_types::icrc1::account::Account;
use num_bigint::BigInt;
use serde_json::{Map, Value, json};

/// A position that a caller fills.
#[derive(Clone, Debug)]
pub enum Form {
    /// One that is written as a text.
    Leaf(Leaf),
    /// A record of such positions, by rising number of their labels.
    Record(Vec<(String, Self)>),
    /// A variant.
    Variant(Vec<(String, Self)>),
    /// A list.
    Vec(Box<Self>),
    /// An option, of anything but another.
    Opt(Box<Self>),
    /// `null` or `reserved`.
    Nothing(Prim),
}

/// A value that is written as a text.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// An amount of a token.
    Amount {
        /// Its integer type.
        prim: Prim,
        /// The token's decimals.
        decimals: usize,
        /// The token's symbol.
        symbol: &'static str,
    },
    /// An account, as its record.
    Account,
    /// An account, as its text.
    AccountText,
    /// An account identifier, as its bytes.
    IdBlob,
    /// An account identifier, as a record of its bytes.
    IdRecord,
    /// An account identifier, as its text.
    IdText,
    /// A principal; whether it is tagged as one.
    Principal(bool),
    /// A subaccount.
    Subaccount,
    /// Bytes, tagged as `memo` or `blob`.
    Bytes(&'static str),
    /// A `timestamp` or a `duration`, its integer type, and its unit.
    Time(&'static str, Prim, &'static str),
    /// A number with a description.
    Integer(Prim),
    /// Text.
    Text,
    /// A truth value.
    Bool,
}

const INTEGERS: [Prim; 10] = [
    Prim::Nat,
    Prim::Int,
    Prim::NatBits(8),
    Prim::NatBits(16),
    Prim::NatBits(32),
    Prim::NatBits(64),
    Prim::IntBits(8),
    Prim::IntBits(16),
    Prim::IntBits(32),
    Prim::IntBits(64),
];
const UNITS: [&str; 4] = ["nanoseconds", "microseconds", "milliseconds", "seconds"];
const NAMES: [&str; 16] = [
    "to",
    "owner",
    "tag",
    "value",
    "text",
    "raw",
    "some",
    "a b",
    "金",
    "x.y",
    "q\"\\",
    "[]",
    "_x",
    "1st",
    "vec",
    "a_name_that_is_longer_than_the_sixty_four_characters_that_are_told",
];

/// The arguments of a method.
#[derive(Clone, Debug)]
pub struct Arguments(Vec<Form>);

impl Arguments {
    /// Random ones.
    pub fn random(rng: &mut Rng) -> Self {
        let count = if rng.one_in(2) { 1 } else { rng.below(4) };
        Self((0..count).map(|_| form(rng, 3)).collect())
    }

    /// Their types.
    #[must_use]
    pub fn model(&self) -> Model {
        Model {
            definitions: Vec::new(),
            args: self.0.iter().map(Form::ty).collect(),
        }
    }

    /// The profile that says what they are.
    #[must_use]
    pub fn profile(&self) -> Value {
        let mut at = Map::new();
        for (index, form) in self.0.iter().enumerate() {
            form.tags(&format!("$args[{index}]"), &mut at);
        }
        json!({
            "format": "candid-profile", "format_version": 0, "name": "random",
            "methods": { "m": {
                "intent": "Do it",
                "effect": { "kind": "act", "irreversible": true },
                "outcome": { "Ok": "success", "default": "fail" },
                "at": at,
            } },
        })
    }

    /// Random values.
    pub fn values(&self, rng: &mut Rng) -> Vec<Val> {
        self.0.iter().map(|form| form.value(rng)).collect()
    }

    /// The inputs that are written as a preview shows the arguments.
    ///
    /// # Panics
    ///
    /// The preview has not the form of the arguments.
    pub fn inputs(&self, shown: &Value, rng: &mut Rng) -> Map<String, Value> {
        let mut inputs = Map::new();
        match self.0.as_slice() {
            [Form::Record(fields)] => inputs = members(fields, shown, rng),
            [form] => give(&mut inputs, form.whole_name().to_owned(), form, shown, rng),
            forms => {
                let shown = shown.as_array().expect("a list of arguments");
                assert_eq!(shown.len(), forms.len());
                for (index, (form, shown)) in forms.iter().zip(shown).enumerate() {
                    give(&mut inputs, format!("arg{index}"), form, shown, rng);
                }
            }
        }
        // `null` says nothing at the top: what is nothing is left out.
        inputs.retain(|_, value| !value.is_null());
        inputs
    }
}

/// Adds what a position is given, if there is something to give.
fn give(inputs: &mut Map<String, Value>, name: String, form: &Form, shown: &Value, rng: &mut Rng) {
    let nothing = matches!(form, Form::Nothing(_))
        || matches!(form, Form::Opt(held) if matches!(**held, Form::Nothing(_)));
    if nothing {
        assert!(shown.is_null(), "{shown}");
    } else if !(shown.is_null() && rng.one_in(2)) {
        inputs.insert(name, form.input(shown, rng));
    }
}

fn members(fields: &[(String, Form)], shown: &Value, rng: &mut Rng) -> Map<String, Value> {
    let shown = shown.as_object().expect("a record is an object");
    assert_eq!(shown.len(), fields.len());
    let mut inputs = Map::new();
    for (name, form) in fields {
        let name = told(name);
        let shown = &shown[&name];
        give(&mut inputs, name, form, shown, rng);
    }
    inputs
}

/// How a name is told (design, section 5): of letters, digits and `_`, and 64 characters at most; with
/// a part of its hash where that loses anything.
#[must_use]
pub fn told(exact: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut name: String = (exact.chars())
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    if !exact.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name = format!("m_{name}");
    }
    if name == exact && name.len() <= 64 {
        return name;
    }
    let hash = ContentHash::of(exact.as_bytes()).to_string();
    let tail: String = hash.chars().take(6).collect();
    let head: String = name.chars().take(57).collect();
    format!("{head}_{tail}")
}

fn form(rng: &mut Rng, depth: usize) -> Form {
    if depth == 0 {
        return Form::Leaf(leaf(rng));
    }
    match rng.below(12) {
        0..=2 => Form::Record(named(rng, depth, 0)),
        3 | 4 => Form::Variant(named(rng, depth, 1)),
        5 => Form::Vec(Box::new(element(rng, depth))),
        6 | 7 => match form(rng, depth - 1) {
            Form::Opt(held) => Form::Opt(held),
            held => Form::Opt(Box::new(held)),
        },
        8 => Form::Nothing(rng.pick(&[Prim::Null, Prim::Reserved])),
        _ => Form::Leaf(leaf(rng)),
    }
}

fn element(rng: &mut Rng, depth: usize) -> Form {
    match form(rng, depth - 1) {
        // A list of bytes is no list.
        Form::Leaf(leaf) if leaf.ty() == Ty::Prim(Prim::NatBits(8)) => Form::Leaf(Leaf::Bool),
        form => form,
    }
}

fn named(rng: &mut Rng, depth: usize, least: usize) -> Vec<(String, Form)> {
    let mut members: Vec<(String, Form)> = Vec::new();
    for _ in 0..least + rng.below(4) {
        let name = if rng.one_in(2) {
            rng.pick(&NAMES).to_owned()
        } else {
            format!("f{}", rng.below(10_000))
        };
        if members.iter().all(|(other, _)| *other != name) {
            members.push((name, form(rng, depth - 1)));
        }
    }
    members.sort_by_key(|(name, _)| Label::Named(name.clone()).id());
    members
}

fn leaf(rng: &mut Rng) -> Leaf {
    match rng.below(15) {
        0 | 1 => Leaf::Amount {
            prim: rng.pick(&INTEGERS),
            decimals: rng.below(37),
            symbol: rng.pick(&["TKA", "ck.US$-D", "1", "E8"]),
        },
        2 => Leaf::Account,
        3 => Leaf::AccountText,
        4 => Leaf::IdBlob,
        5 => Leaf::IdRecord,
        6 => Leaf::IdText,
        7 => Leaf::Principal(rng.one_in(2)),
        8 => Leaf::Subaccount,
        9 => Leaf::Bytes(rng.pick(&["memo", "blob"])),
        10 => Leaf::Time("timestamp", rng.pick(&INTEGERS), rng.pick(&UNITS)),
        11 => Leaf::Time("duration", rng.pick(&INTEGERS), rng.pick(&UNITS)),
        12 => Leaf::Integer(rng.pick(&INTEGERS)),
        13 => Leaf::Text,
        _ => Leaf::Bool,
    }
}

impl Form {
    fn ty(&self) -> Ty {
        let all = |members: &[(String, Self)]| -> Fields {
            (members.iter())
                .map(|(name, form)| (Label::Named(name.clone()), form.ty()))
                .collect()
        };
        match self {
            Self::Leaf(leaf) => leaf.ty(),
            Self::Record(members) => Ty::Record(all(members)),
            Self::Variant(members) => Ty::Variant(all(members)),
            Self::Vec(element) => Ty::Vec(Box::new(element.ty())),
            Self::Opt(held) => Ty::Opt(Box::new(held.ty())),
            Self::Nothing(prim) => Ty::Prim(*prim),
        }
    }

    fn tags(&self, place: &str, at: &mut Map<String, Value>) {
        match self {
            Self::Leaf(leaf) => {
                if let Some(tags) = leaf.tags() {
                    at.insert(place.to_owned(), tags);
                }
            }
            Self::Record(members) | Self::Variant(members) => {
                for (name, form) in members {
                    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
                    form.tags(&format!("{place}.\"{name}\""), at);
                }
            }
            Self::Vec(element) => element.tags(&format!("{place}[]"), at),
            Self::Opt(held) => held.tags(place, at),
            Self::Nothing(_) => {}
        }
    }

    fn value(&self, rng: &mut Rng) -> Val {
        match self {
            Self::Leaf(leaf) => leaf.value(rng),
            Self::Record(members) => {
                Val::Record(members.iter().map(|(_, form)| form.value(rng)).collect())
            }
            Self::Variant(members) => {
                let index = rng.below(members.len());
                Val::Variant(index, Box::new(members[index].1.value(rng)))
            }
            Self::Vec(element) => Val::Vec((0..rng.below(4)).map(|_| element.value(rng)).collect()),
            Self::Opt(held) => match (held.as_ref(), rng.one_in(3)) {
                // Nothing can be said about nothing: it is left out.
                (_, true) | (Self::Nothing(_), _) => Val::Opt(None),
                (Self::Leaf(Leaf::Subaccount), _) => {
                    // The default account has one form, without a subaccount.
                    Val::Opt(Some(Box::new(Val::Blob(subaccount(rng)))))
                }
                (held, false) => Val::Opt(Some(Box::new(held.value(rng)))),
            },
            Self::Nothing(_) => Val::Null,
        }
    }

    /// The name of the input that is a whole argument.
    const fn whole_name(&self) -> &'static str {
        match self {
            Self::Leaf(leaf) => leaf.whole_name(),
            Self::Opt(held) => held.whole_name(),
            Self::Record(_) | Self::Variant(_) | Self::Vec(_) | Self::Nothing(_) => "input",
        }
    }

    /// What a caller writes for the value that it was shown.
    fn input(&self, shown: &Value, rng: &mut Rng) -> Value {
        match self {
            Self::Opt(_) if shown.is_null() => Value::Null,
            Self::Opt(held) => held.input(shown, rng),
            Self::Nothing(_) => Value::Null,
            Self::Record(fields) => Value::Object(members(fields, shown, rng)),
            Self::Vec(element) => {
                let shown = shown.as_array().expect("a list is an array");
                Value::Array(
                    shown
                        .iter()
                        .map(|shown| element.input(shown, rng))
                        .collect(),
                )
            }
            Self::Variant(cases) => {
                let tag = &shown["tag"];
                let case = cases.iter().find(|(name, _)| *tag == told(name));
                let (_, form) = case.unwrap_or_else(|| panic!("there is no case {tag}"));
                let mut input = json!({ "tag": tag });
                if let Some(value) = shown.get("value") {
                    input["value"] = form.input(value, rng);
                }
                input
            }
            Self::Leaf(_) => match shown {
                Value::Bool(value) => json!(value.to_string()),
                Value::Object(both) => both["text"].clone(),
                text => text.clone(),
            },
        }
    }
}

impl Leaf {
    fn ty(&self) -> Ty {
        let blob = || Ty::Vec(Box::new(Ty::Prim(Prim::NatBits(8))));
        match self {
            Self::Amount { prim, .. } | Self::Time(_, prim, _) | Self::Integer(prim) => {
                Ty::Prim(*prim)
            }
            Self::Account => {
                let mut fields = vec![
                    (Label::Named("owner".to_owned()), Ty::Prim(Prim::Principal)),
                    (
                        Label::Named("subaccount".to_owned()),
                        Ty::Opt(Box::new(blob())),
                    ),
                ];
                fields.sort_by_key(|(label, _)| label.id());
                Ty::Record(fields)
            }
            Self::AccountText | Self::IdText | Self::Text => Ty::Prim(Prim::Text),
            Self::IdBlob | Self::Subaccount | Self::Bytes(_) => blob(),
            Self::IdRecord => Ty::Record(vec![(Label::Named("hash".to_owned()), blob())]),
            Self::Principal(_) => Ty::Prim(Prim::Principal),
            Self::Bool => Ty::Prim(Prim::Bool),
        }
    }

    fn tags(&self) -> Option<Value> {
        let value = match self {
            Self::Text | Self::Bool | Self::Principal(false) => return None,
            Self::Integer(_) => return Some(json!({ "describe": "A number" })),
            Self::Amount {
                decimals, symbol, ..
            } => json!({ "kind": "amount", "decimals": decimals, "symbol": symbol }),
            Self::Account | Self::AccountText => json!({ "kind": "account" }),
            Self::IdBlob | Self::IdRecord | Self::IdText => json!({ "kind": "account_id" }),
            Self::Principal(true) => json!({ "kind": "principal" }),
            Self::Subaccount => json!({ "kind": "subaccount" }),
            Self::Bytes(kind) => json!({ "kind": kind }),
            Self::Time(kind, _, unit) => json!({ "kind": kind, "unit": unit }),
        };
        Some(json!({ "value": value }))
    }

    fn value(&self, rng: &mut Rng) -> Val {
        let number = |prim: Prim, rng: &mut Rng| -> BigInt {
            values::number(rng, prim).expect("the type has numbers")
        };
        match self {
            // An amount is no less than nothing, and a length of time neither.
            Self::Amount { prim, .. } | Self::Time("duration", prim, _) => {
                let number = number(*prim, rng);
                let positive = number >= BigInt::default();
                Val::Number(if positive { number } else { -number - 1 })
            }
            Self::Time(_, prim, _) | Self::Integer(prim) => Val::Number(number(*prim, rng)),
            Self::Account => {
                let Account { owner, subaccount } = account(rng);
                let owner = Val::Principal(owner.as_slice().to_vec());
                let held = subaccount.map(|bytes| Box::new(Val::Blob(bytes.to_vec())));
                let subaccount = Val::Opt(held);
                let first = Label::Named("owner".to_owned()).id();
                let second = Label::Named("subaccount".to_owned()).id();
                Val::Record(if first < second {
                    vec![owner, subaccount]
                } else {
                    vec![subaccount, owner]
                })
            }
            Self::AccountText => Val::Text(account(rng).to_string()),
            Self::IdBlob => Val::Blob(account_id(rng)),
            Self::IdRecord => Val::Record(vec![Val::Blob(account_id(rng))]),
            Self::IdText => Val::Text(to_hex(&account_id(rng))),
            Self::Principal(_) => Val::Principal(values::principal(rng)),
            Self::Subaccount => Val::Blob(if rng.one_in(4) {
                vec![0; 32]
            } else {
                subaccount(rng)
            }),
            Self::Bytes(_) => Val::Blob(match rng.below(3) {
                0 => rng.bytes(40),
                1 => values::text(rng, 12).into_bytes(),
                _ => format!("{}{}", rng.pick(&["0x", "0X", "0x0"]), rng.below(100)).into_bytes(),
            }),
            Self::Text => Val::Text(values::text(rng, 30)),
            Self::Bool => Val::Bool(rng.one_in(2)),
        }
    }

    const fn whole_name(&self) -> &'static str {
        match self {
            Self::Amount { .. } => "amount",
            Self::Account | Self::AccountText => "account",
            Self::IdBlob | Self::IdRecord | Self::IdText => "account_id",
            Self::Principal(_) => "principal",
            Self::Subaccount => "subaccount",
            Self::Bytes(_) => "bytes",
            Self::Time(..) => "time",
            Self::Integer(_) => "integer",
            Self::Text => "text",
            Self::Bool => "bool",
        }
    }
}

/// A subaccount of which not all bytes are 0, often a small number.
fn subaccount(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = vec![0; 32];
    let from = rng.below(32);
    let random = rng.bytes_of(32 - from);
    bytes[from..].copy_from_slice(&random);
    bytes[31] |= 1;
    bytes
}

fn account(rng: &mut Rng) -> Account {
    let held = (!rng.one_in(3)).then(|| subaccount(rng));
    Account {
        owner: Principal::from_slice(&values::principal(rng)),
        subaccount: held.map(|bytes| bytes.try_into().expect("32 bytes")),
    }
}

/// An account identifier: 28 random bytes with their CRC-32 (ISO 3309) in front.
fn account_id(rng: &mut Rng) -> Vec<u8> {
    let hash = rng.bytes_of(28);
    let crc = hash.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            }
        })
    });
    [(!crc).to_be_bytes().as_slice(), &hash].concat()
}
