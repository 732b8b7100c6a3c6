//! Random interfaces: types with their definitions, and the text in which they are written.

use super::Rng;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How many definitions an interface has.
const DEFINITIONS: usize = 5;
/// How deep types stand in one another.
const DEPTH: usize = 3;

/// A primitive type: its name, and its code in a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Prim {
    /// `null`
    Null,
    /// `bool`
    Bool,
    /// `nat`
    Nat,
    /// `int`
    Int,
    /// `nat8` to `nat64`: bits
    NatBits(u32),
    /// `int8` to `int64`: bits
    IntBits(u32),
    /// `float32`
    Float32,
    /// `float64`
    Float64,
    /// `text`
    Text,
    /// `reserved`
    Reserved,
    /// `empty`
    Empty,
    /// `principal`
    Principal,
}

impl Prim {
    /// All of them, with the code that a message has for each (Candid specification, "T").
    pub const ALL: [(Self, i64); 18] = [
        (Self::Null, -1),
        (Self::Bool, -2),
        (Self::Nat, -3),
        (Self::Int, -4),
        (Self::NatBits(8), -5),
        (Self::NatBits(16), -6),
        (Self::NatBits(32), -7),
        (Self::NatBits(64), -8),
        (Self::IntBits(8), -9),
        (Self::IntBits(16), -10),
        (Self::IntBits(32), -11),
        (Self::IntBits(64), -12),
        (Self::Float32, -13),
        (Self::Float64, -14),
        (Self::Text, -15),
        (Self::Reserved, -16),
        (Self::Empty, -17),
        (Self::Principal, -24),
    ];

    /// The name in a text.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::NatBits(bits) => format!("nat{bits}"),
            Self::IntBits(bits) => format!("int{bits}"),
            Self::Null => "null".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Nat => "nat".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Float32 => "float32".to_owned(),
            Self::Float64 => "float64".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Reserved => "reserved".to_owned(),
            Self::Empty => "empty".to_owned(),
            Self::Principal => "principal".to_owned(),
        }
    }
}

/// A label of a field or a case.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Label {
    /// By name.
    Named(String),
    /// By number.
    Id(u32),
}

impl Label {
    /// The number that a message has for it (Candid specification, "Shorthand: symbolic field ids").
    #[must_use]
    pub fn id(&self) -> u32 {
        match self {
            Self::Id(id) => *id,
            Self::Named(name) => name.bytes().fold(0, |hash: u32, byte| {
                hash.wrapping_mul(223).wrapping_add(u32::from(byte))
            }),
        }
    }
}

/// Fields or cases, by rising number.
pub type Fields = Vec<(Label, Ty)>;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// A primitive one.
    Prim(Prim),
    /// `opt`
    Opt(Box<Self>),
    /// `vec`
    Vec(Box<Self>),
    /// `record`
    Record(Fields),
    /// `variant`
    Variant(Fields),
    /// A reference to a function.
    Func(Func),
    /// A reference to a service: methods by rising name.
    Service(Vec<(String, Func)>),
    /// A definition.
    Name(usize),
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// The arguments.
    pub args: Vec<Ty>,
    /// The results.
    pub rets: Vec<Ty>,
    /// The mode's name, and its code in a message.
    pub mode: Option<(&'static str, u8)>,
}

/// An interface with one method.
#[derive(Clone, Debug)]
pub struct Model {
    /// The definitions `d0`, `d1`, …
    pub definitions: Vec<Ty>,
    /// The arguments of the method `m`.
    pub args: Vec<Ty>,
}

impl Model {
    /// A random interface whose definitions and arguments all have values.
    ///
    /// A decoder may take a recursive record without values for `empty`, where a reference to a
    /// function has it among its types.
    pub fn random(rng: &mut Rng) -> Self {
        loop {
            let model = Self {
                definitions: (0..DEFINITIONS)
                    .map(|_| composite_or_primitive(rng))
                    .collect(),
                args: (0..rng.below(4)).map(|_| any(rng, DEPTH)).collect(),
            };
            let ranks = model.ranks();
            let have_values = ranks.iter().all(Option::is_some)
                && model.args.iter().all(|ty| rank(ty, &ranks).is_some());
            if have_values {
                return model;
            }
        }
    }

    /// What a type is, its definition looked up.
    #[must_use]
    pub fn resolve<'a>(&'a self, ty: &'a Ty) -> &'a Ty {
        match ty {
            Ty::Name(index) => self.resolve(&self.definitions[*index]),
            other => other,
        }
    }

    /// Whether elements of this type make a blob.
    #[must_use]
    pub fn is_byte(&self, ty: &Ty) -> bool {
        *self.resolve(ty) == Ty::Prim(Prim::NatBits(8))
    }

    /// How deep the smallest value of each definition is; `None` for one without values.
    #[must_use]
    pub fn ranks(&self) -> Vec<Option<usize>> {
        let mut ranks = vec![None; self.definitions.len()];
        loop {
            let next: Vec<_> = (self.definitions.iter())
                .map(|ty| rank(ty, &ranks))
                .collect();
            // A rank that was found is the smallest: those below it were found in earlier rounds.
            let next: Vec<_> = ranks
                .iter()
                .zip(next)
                .map(|(old, new)| old.or(new))
                .collect();
            if next == ranks {
                return ranks;
            }
            ranks = next;
        }
    }

    /// The text of the interface, written in one of many ways. Its method has no results.
    pub fn text(&self, rng: &mut Rng) -> String {
        self.text_with("-> ()", rng)
    }

    /// The text of the interface, with what stands behind the arguments of its method.
    pub fn text_with(&self, behind: &str, rng: &mut Rng) -> String {
        let mut out = String::new();
        for (index, ty) in self.definitions.iter().enumerate() {
            write!(out, "type d{index} = ").expect("a string takes it");
            self.write(ty, rng, &mut out);
            out.push_str(";\n");
        }
        out.push_str("service : { m : ");
        self.write_tuple(&self.args, rng, &mut out);
        write!(out, " {behind} }}").expect("a string takes it");
        out
    }

    fn write(&self, ty: &Ty, rng: &mut Rng, out: &mut String) {
        match ty {
            Ty::Prim(prim) => out.push_str(&prim.name()),
            Ty::Name(index) => write!(out, "d{index}").expect("a string takes it"),
            Ty::Opt(inner) => {
                out.push_str("opt ");
                self.write(inner, rng, out);
            }
            Ty::Vec(inner) if **inner == Ty::Prim(Prim::NatBits(8)) && rng.one_in(2) => {
                out.push_str("blob");
            }
            Ty::Vec(inner) => {
                out.push_str("vec ");
                self.write(inner, rng, out);
            }
            Ty::Record(fields) => {
                let tuple = (0..)
                    .zip(fields)
                    .all(|(n, (label, _))| *label == Label::Id(n));
                let bare = tuple && rng.one_in(2);
                out.push_str("record { ");
                for (label, ty) in fields {
                    if !bare {
                        write_label(label, rng, out);
                        out.push_str(" : ");
                    }
                    self.write(ty, rng, out);
                    out.push_str("; ");
                }
                out.push('}');
            }
            Ty::Variant(cases) => {
                out.push_str("variant { ");
                for (label, ty) in cases {
                    write_label(label, rng, out);
                    if *ty != Ty::Prim(Prim::Null) || rng.one_in(2) {
                        out.push_str(" : ");
                        self.write(ty, rng, out);
                    }
                    out.push_str("; ");
                }
                out.push('}');
            }
            Ty::Func(func) => {
                out.push_str("func ");
                self.write_func(func, rng, out);
            }
            Ty::Service(methods) => {
                out.push_str("service { ");
                for (name, func) in methods {
                    write_name(name, rng, out);
                    out.push_str(" : ");
                    self.write_func(func, rng, out);
                    out.push_str("; ");
                }
                out.push('}');
            }
        }
    }

    fn write_func(&self, func: &Func, rng: &mut Rng, out: &mut String) {
        self.write_tuple(&func.args, rng, out);
        out.push_str(" -> ");
        self.write_tuple(&func.rets, rng, out);
        if let Some((mode, _)) = func.mode {
            out.push(' ');
            out.push_str(mode);
        }
    }

    fn write_tuple(&self, types: &[Ty], rng: &mut Rng, out: &mut String) {
        out.push('(');
        for ty in types {
            self.write(ty, rng, out);
            out.push_str(", ");
        }
        out.push(')');
    }

    /// The types as data, for a script.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let all = |types: &[Ty]| types.iter().map(to_json).collect::<Vec<_>>();
        json!({ "definitions": all(&self.definitions), "args": all(&self.args) })
    }
}

/// How deep the smallest value of a type is, as far as the ranks of definitions are known.
pub(super) fn rank(ty: &Ty, ranks: &[Option<usize>]) -> Option<usize> {
    match ty {
        Ty::Prim(Prim::Empty) => None,
        Ty::Prim(_) | Ty::Opt(_) | Ty::Vec(_) | Ty::Func(_) | Ty::Service(_) => Some(0),
        Ty::Name(index) => ranks[*index].map(|rank| rank + 1),
        Ty::Record(fields) => {
            let ranks: Option<Vec<_>> = fields.iter().map(|(_, ty)| rank(ty, ranks)).collect();
            Some(ranks?.into_iter().max().map_or(0, |most| most + 1))
        }
        Ty::Variant(cases) => {
            let ranks = cases.iter().filter_map(|(_, ty)| rank(ty, ranks));
            ranks.min().map(|least| least + 1)
        }
    }
}

fn any(rng: &mut Rng, depth: usize) -> Ty {
    match rng.below(8) {
        0 | 1 => primitive(rng),
        2 => Ty::Name(rng.below(DEFINITIONS)),
        _ if depth == 0 => primitive(rng),
        _ => composite(rng, depth),
    }
}

fn composite_or_primitive(rng: &mut Rng) -> Ty {
    // A definition is no bare name: two could name each other.
    if rng.one_in(5) {
        primitive(rng)
    } else {
        composite(rng, DEPTH)
    }
}

fn primitive(rng: &mut Rng) -> Ty {
    Ty::Prim(rng.pick(&Prim::ALL).0)
}

fn composite(rng: &mut Rng, depth: usize) -> Ty {
    let depth = depth - 1;
    match rng.below(10) {
        0 | 1 => Ty::Opt(Box::new(any(rng, depth))),
        2 => Ty::Vec(Box::new(any(rng, depth))),
        3 => Ty::Vec(Box::new(Ty::Prim(Prim::NatBits(8)))),
        4..=6 => Ty::Record(fields(rng, depth)),
        7 => Ty::Variant(fields(rng, depth)),
        8 => Ty::Func(func(rng, depth)),
        _ => {
            let mut methods: Vec<(String, Func)> = Vec::new();
            for name in ["a", "b c", "é\"\\"] {
                if rng.one_in(2) {
                    methods.push((name.to_owned(), func(rng, depth)));
                }
            }
            Ty::Service(methods)
        }
    }
}

fn fields(rng: &mut Rng, depth: usize) -> Fields {
    const NAMES: [&str; 12] = [
        "to",
        "Ok",
        "a b",
        "金",
        "vec",
        "q\"\\\n",
        "a,b",
        "",
        "owner",
        "x\u{202e}y",
        "\u{200b}",
        "_",
    ];
    let tuple = rng.one_in(5);
    let mut fields: Fields = Vec::new();
    for n in 0..rng.below(5) {
        let label = match rng.below(6) {
            _ if tuple => Label::Id(u32::try_from(n).expect("a small number")),
            0 => Label::Id(u32::try_from(rng.below(4)).expect("a small number")),
            1 => Label::Id(rng.bits() as u32),
            2 => Label::Named(format!("f{}", rng.below(1_000))),
            _ => Label::Named(rng.pick(&NAMES).to_owned()),
        };
        if fields.iter().all(|(other, _)| other.id() != label.id()) {
            fields.push((label, any(rng, depth)));
        }
    }
    fields.sort_by_key(|(label, _)| label.id());
    fields
}

fn func(rng: &mut Rng, depth: usize) -> Func {
    let mode = rng.pick(&[
        None,
        Some(("query", 1)),
        Some(("oneway", 2)),
        Some(("composite_query", 3)),
    ]);
    let rets = if matches!(mode, Some(("oneway", _))) {
        0
    } else {
        rng.below(3)
    };
    Func {
        args: (0..rng.below(3)).map(|_| any(rng, depth)).collect(),
        rets: (0..rets).map(|_| any(rng, depth)).collect(),
        mode,
    }
}

fn write_label(label: &Label, rng: &mut Rng, out: &mut String) {
    match label {
        Label::Named(name) => write_name(name, rng, out),
        Label::Id(id) if rng.one_in(3) => write!(out, "{id:#x}").expect("a string takes it"),
        Label::Id(id) => write!(out, "{id}").expect("a string takes it"),
    }
}

pub(super) fn write_name(name: &str, rng: &mut Rng, out: &mut String) {
    const WORDS: [&str; 1] = ["vec"];
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain && !WORDS.contains(&name) && !rng.one_in(4) {
        out.push_str(name);
        return;
    }
    out.push('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() || rng.one_in(4) => {
                write!(out, "\\u{{{:x}}}", u32::from(c)).expect("a string takes it");
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn to_json(ty: &Ty) -> Value {
    let all = |types: &[Ty]| types.iter().map(to_json).collect::<Vec<_>>();
    let func = |func: &Func| {
        json!({
            "args": all(&func.args),
            "rets": all(&func.rets),
            "mode": func.mode.map(|(name, _)| name),
        })
    };
    let fields = |fields: &Fields| {
        let fields = fields.iter().map(|(label, ty)| {
            let key = match label {
                Label::Named(name) => name.clone(),
                Label::Id(id) => format!("_{id}_"),
            };
            json!([key, label.id(), to_json(ty)])
        });
        fields.collect::<Vec<_>>()
    };
    match ty {
        Ty::Prim(prim) => json!(prim.name()),
        Ty::Name(index) => json!({ "name": index }),
        Ty::Opt(inner) => json!({ "opt": to_json(inner) }),
        Ty::Vec(inner) => json!({ "vec": to_json(inner) }),
        Ty::Record(inner) => json!({ "record": fields(inner) }),
        Ty::Variant(inner) => json!({ "variant": fields(inner) }),
        Ty::Func(inner) => json!({ "func": func(inner) }),
        Ty::Service(methods) => {
            let methods = methods
                .iter()
                .map(|(name, inner)| json!([name, func(inner)]));
            json!({ "service": methods.collect::<Vec<_>>() })
        }
    }
}
