//! Two interfaces for one canister: whether they mean the same, and where they do not.
//!
//! Candid's bytes carry the 32-bit hash of a label. Another name with the same hash is found in a
//! second, so an interface that somebody pasted can read the right bytes under the wrong names: the
//! payee as `refund`. Names count here, though bytes do not tell them apart.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use candid::types::{Field, FuncMode, Label, Type, TypeInner};

use super::{Arg, Interface};
use crate::text::Untrusted;

/// The most differences that are told.
pub const MAX_DIFFERENCES: usize = 50;
/// The most pairs of types that are looked at. Interfaces that are equal are known before.
const MAX_PAIRS: usize = 20_000;

/// One difference between a pasted interface and the one that the canister certifies.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// The method and the place in it: `icrc1_transfer argument 1 .to`. Text from outside.
    pub place: Untrusted,
    /// What differs.
    pub what: Differs,
}

/// What differs at a place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Differs {
    /// Only the pasted interface has the method.
    MethodAdded,
    /// Only the certified interface has the method.
    MethodMissing,
    /// The method is called in another way.
    Mode {
        /// As pasted.
        pasted: &'static str,
        /// As certified.
        certified: &'static str,
    },
    /// Another number of arguments or results.
    Count {
        /// As pasted.
        pasted: usize,
        /// As certified.
        certified: usize,
    },
    /// The same bytes have another name.
    Renamed {
        /// As pasted.
        pasted: Untrusted,
        /// As certified.
        certified: Untrusted,
        /// The hash that stands in the bytes for both.
        hash: u32,
    },
    /// Only the pasted interface has the field or case.
    LabelAdded {
        /// Its name.
        label: Untrusted,
        /// Its hash.
        hash: u32,
    },
    /// Only the certified interface has the field or case.
    LabelMissing {
        /// Its name.
        label: Untrusted,
        /// Its hash.
        hash: u32,
    },
    /// Another type.
    Type {
        /// As pasted.
        pasted: &'static str,
        /// As certified.
        certified: &'static str,
    },
    /// They differ at a place that was not reached.
    Elsewhere,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        match &self.what {
            Differs::MethodAdded => f.write_str("the canister has no such method"),
            Differs::MethodMissing => f.write_str("the pasted interface leaves the method out"),
            Differs::Mode { pasted, certified } => {
                write!(f, "pasted as {pasted}, and the canister says {certified}")
            }
            Differs::Count { pasted, certified } => {
                write!(
                    f,
                    "{pasted} values are pasted, and the canister says {certified}"
                )
            }
            Differs::Renamed {
                pasted,
                certified,
                hash,
            } => write!(
                f,
                "`{pasted}` is pasted where the canister says `{certified}`, and both are {hash} in \
                 the bytes"
            ),
            Differs::LabelAdded { label, hash } => {
                write!(f, "the canister has no `{label}` ({hash})")
            }
            Differs::LabelMissing { label, hash } => {
                write!(f, "the pasted interface leaves `{label}` ({hash}) out")
            }
            Differs::Type { pasted, certified } => {
                write!(f, "{pasted} is pasted, and the canister says {certified}")
            }
            Differs::Elsewhere => f.write_str("they are not the same"),
        }
    }
}

/// Where a pasted interface differs from the one that the canister certifies, in any method, label
/// or type; at most [`MAX_DIFFERENCES`]. Empty where both mean the same, and only there: names of
/// definitions and arguments, comments and order do not count.
#[must_use]
pub fn differences(pasted: &Interface, certified: &Interface) -> Vec<Difference> {
    if pasted.fingerprint() == certified.fingerprint() {
        return Vec::new();
    }
    let mut walk = Walk {
        pasted,
        certified,
        steps: Vec::new(),
        open: Vec::new(),
        seen: HashSet::new(),
        pairs: 0,
        found: Vec::new(),
    };
    walk.methods();
    if walk.found.is_empty() {
        walk.found.push(Difference {
            place: Untrusted::new("interface"),
            what: Differs::Elsewhere,
        });
    }
    walk.found
}

struct Walk<'a> {
    pasted: &'a Interface,
    certified: &'a Interface,
    /// The steps to each place, with the step before. A place is named by its last step.
    steps: Vec<(Option<usize>, String)>,
    /// Pairs of types still to be looked at.
    open: Vec<(usize, Type, Type)>,
    /// Pairs that have a name, and so can come again.
    seen: HashSet<(Type, Type)>,
    pairs: usize,
    found: Vec<Difference>,
}

impl Walk<'_> {
    fn methods(&mut self) {
        let (pasted, certified) = (self.pasted, self.certified);
        let names: BTreeSet<&String> = (pasted.methods.keys())
            .chain(certified.methods.keys())
            .collect();
        for name in names {
            let place = self.step(None, name.clone());
            match (pasted.methods.get(name), certified.methods.get(name)) {
                (Some(ours), Some(theirs)) => {
                    if ours.mode != theirs.mode {
                        let (pasted, certified) = (ours.mode.as_str(), theirs.mode.as_str());
                        self.differs(place, Differs::Mode { pasted, certified });
                    }
                    let types = |args: &[Arg]| args.iter().map(|arg| arg.ty.clone()).collect();
                    self.tuple(place, "argument", (types(&ours.args), types(&theirs.args)));
                    let results = (types(&ours.results), types(&theirs.results));
                    self.tuple(place, "result", results);
                }
                (Some(_), None) => self.differs(place, Differs::MethodAdded),
                (None, _) => self.differs(place, Differs::MethodMissing),
            }
            while let Some((place, pasted, certified)) = self.open.pop() {
                if self.is_full() {
                    return;
                }
                self.pair(place, &pasted, &certified);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= MAX_DIFFERENCES || self.pairs >= MAX_PAIRS
    }

    fn step(&mut self, before: Option<usize>, step: String) -> usize {
        self.steps.push((before, step));
        self.steps.len() - 1
    }

    fn differs(&mut self, place: usize, what: Differs) {
        if self.found.len() >= MAX_DIFFERENCES {
            return;
        }
        let mut way = Vec::new();
        let mut at = Some(place);
        while let Some((before, step)) = at.map(|at| &self.steps[at]) {
            way.push(step.as_str());
            at = *before;
        }
        way.reverse();
        self.found.push(Difference {
            place: Untrusted::new(&way.join(" ")),
            what,
        });
    }

    fn tuple(&mut self, place: usize, word: &str, (ours, theirs): (Vec<Type>, Vec<Type>)) {
        if ours.len() != theirs.len() {
            let (pasted, certified) = (ours.len(), theirs.len());
            let place = self.step(Some(place), format!("{word}s"));
            self.differs(place, Differs::Count { pasted, certified });
            return;
        }
        for (at, (ours, theirs)) in ours.into_iter().zip(theirs).enumerate() {
            let place = self.step(Some(place), format!("{word} {}", at + 1));
            self.open.push((place, ours, theirs));
        }
    }

    fn pair(&mut self, place: usize, ours: &Type, theirs: &Type) {
        self.pairs += 1;
        let is_name = |ty: &Type| matches!(ty.as_ref(), TypeInner::Var(_));
        // What is named is told at the first place that holds it; what is written out, at each.
        if (is_name(ours) || is_name(theirs)) && !self.seen.insert((ours.clone(), theirs.clone())) {
            return;
        }
        let ours = end(self.pasted, ours);
        let theirs = end(self.certified, theirs);
        match (ours.as_ref(), theirs.as_ref()) {
            (TypeInner::Opt(a), TypeInner::Opt(b)) => {
                self.open.push((place, a.clone(), b.clone()));
            }
            (TypeInner::Vec(a), TypeInner::Vec(b)) => {
                let place = self.step(Some(place), "[]".to_owned());
                self.open.push((place, a.clone(), b.clone()));
            }
            (TypeInner::Record(a), TypeInner::Record(b))
            | (TypeInner::Variant(a), TypeInner::Variant(b)) => self.labels(place, a, b),
            (TypeInner::Func(a), TypeInner::Func(b)) => {
                let mode = |modes: &[FuncMode]| match modes.first() {
                    None => "update",
                    Some(FuncMode::Query) => "query",
                    Some(FuncMode::CompositeQuery) => "composite_query",
                    Some(FuncMode::Oneway) => "oneway",
                };
                let (pasted, certified) = (mode(&a.modes), mode(&b.modes));
                if pasted != certified {
                    self.differs(place, Differs::Mode { pasted, certified });
                }
                self.tuple(place, "argument", (a.args.clone(), b.args.clone()));
                self.tuple(place, "result", (a.rets.clone(), b.rets.clone()));
            }
            (TypeInner::Service(a), TypeInner::Service(b)) => {
                let known: BTreeMap<_, _> = b.iter().map(|(name, ty)| (name, ty)).collect();
                let other_way: BTreeSet<_> = a.iter().map(|(name, _)| name).collect();
                for (name, ours) in a {
                    let place = self.step(Some(place), name.clone());
                    match known.get(name) {
                        Some(theirs) => {
                            self.open.push((place, ours.clone(), (*theirs).clone()));
                        }
                        None => self.differs(place, Differs::MethodAdded),
                    }
                }
                for (name, _) in b.iter().filter(|(name, _)| !other_way.contains(name)) {
                    let place = self.step(Some(place), name.clone());
                    self.differs(place, Differs::MethodMissing);
                }
            }
            (a, b) => {
                let (pasted, certified) = (kind(a), kind(b));
                if pasted != certified {
                    self.differs(place, Differs::Type { pasted, certified });
                }
            }
        }
    }

    /// Fields or cases. They are met by what stands in the bytes for them.
    fn labels(&mut self, place: usize, ours: &[Field], theirs: &[Field]) {
        fn by_hash(fields: &[Field]) -> BTreeMap<u32, &Field> {
            (fields.iter())
                .map(|field| (field.id.get_id(), field))
                .collect()
        }
        let (known, other_way) = (by_hash(theirs), by_hash(ours));
        for field in ours {
            let hash = field.id.get_id();
            let label = Untrusted::new(&field.id.to_string());
            match known.get(&hash) {
                Some(other) => {
                    if !same_name(&field.id, &other.id) {
                        let what = Differs::Renamed {
                            pasted: label,
                            certified: Untrusted::new(&other.id.to_string()),
                            hash,
                        };
                        self.differs(place, what);
                    }
                    let place = self.step(Some(place), format!(".{}", other.id));
                    self.open.push((place, field.ty.clone(), other.ty.clone()));
                }
                None => self.differs(place, Differs::LabelAdded { label, hash }),
            }
        }
        for other in theirs {
            let hash = other.id.get_id();
            if !other_way.contains_key(&hash) {
                let label = Untrusted::new(&other.id.to_string());
                self.differs(place, Differs::LabelMissing { label, hash });
            }
        }
    }
}

/// Whether two labels read the same: by name where they have one.
fn same_name(a: &Label, b: &Label) -> bool {
    match (a, b) {
        (Label::Named(a), Label::Named(b)) => a == b,
        (Label::Id(a) | Label::Unnamed(a), Label::Id(b) | Label::Unnamed(b)) => a == b,
        (Label::Named(_), Label::Id(_) | Label::Unnamed(_))
        | (Label::Id(_) | Label::Unnamed(_), Label::Named(_)) => false,
    }
}

/// The type that a name stands for in the end.
fn end(interface: &Interface, ty: &Type) -> Type {
    let mut ty = ty;
    while let TypeInner::Var(name) = ty.as_ref() {
        ty = interface.env.0.get(name).expect("every name is defined");
    }
    ty.clone()
}

const fn kind(ty: &TypeInner) -> &'static str {
    match ty {
        TypeInner::Null => "null",
        TypeInner::Bool => "bool",
        TypeInner::Nat => "nat",
        TypeInner::Int => "int",
        TypeInner::Nat8 => "nat8",
        TypeInner::Nat16 => "nat16",
        TypeInner::Nat32 => "nat32",
        TypeInner::Nat64 => "nat64",
        TypeInner::Int8 => "int8",
        TypeInner::Int16 => "int16",
        TypeInner::Int32 => "int32",
        TypeInner::Int64 => "int64",
        TypeInner::Float32 => "float32",
        TypeInner::Float64 => "float64",
        TypeInner::Text => "text",
        TypeInner::Reserved => "reserved",
        TypeInner::Empty => "empty",
        TypeInner::Principal => "principal",
        TypeInner::Opt(_) => "opt",
        TypeInner::Vec(_) => "vec",
        TypeInner::Record(_) => "record",
        TypeInner::Variant(_) => "variant",
        TypeInner::Func(_) => "func",
        TypeInner::Service(_) => "service",
        // Names are followed before, and no interface has the others.
        TypeInner::Var(_)
        | TypeInner::Knot(_)
        | TypeInner::Unknown
        | TypeInner::Class(..)
        | TypeInner::Future => "another type",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Interface {
        Interface::parse(text).unwrap()
    }

    fn told(pasted: &str, certified: &str) -> Vec<String> {
        let found = differences(&of(pasted), &of(certified));
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_of_equal_hash_that_swap_payee_and_refund_are_told() {
        let pay = |payee: &str, refund: &str| {
            format!(
                "service : {{ pay : (record {{ {payee} : principal; {refund} : principal }}) -> () }}"
            )
        };
        // The hashes are equal, which is what makes it an attack.
        for (name, other) in [
            ("to", "refund_to_6id4ubh"),
            ("from_subaccount", "recipient_4whejf"),
            ("refund", "recipient_y35yda9"),
            ("recipient", "recovery_8t9y7ai"),
        ] {
            let hash = candid::idl_hash(name);
            assert_eq!(hash, candid::idl_hash(other));
            let sentence = format!(
                "pay argument 1: `{other}` is pasted where the canister says `{name}`, and both are \
                 {hash} in the bytes"
            );
            assert_eq!(told(&pay(other, "other"), &pay(name, "other")), [sentence]);
        }
        assert_eq!(
            told(
                &pay("recovery_8t9y7ai", "recipient_y35yda9"),
                &pay("recipient", "refund")
            )
            .len(),
            2
        );
        // A number for a name reads the same bytes and says less: it is told as well.
        let number = candid::idl_hash("to").to_string();
        assert_eq!(told(&pay(&number, "x"), &pay("to", "x")).len(), 1);
    }

    #[test]
    fn every_kind_of_difference_is_told_with_its_place() {
        let certified = "type List = opt record { head : nat; tail : List };
            service : {
                a : (nat, text) -> (List) query; b : () -> (); c : (func (nat) -> () query) -> ();
                d : (service { x : () -> (); y : () -> () }) -> (vec variant { Ok : nat8; Err });
            }";
        let pasted = "type List = opt record { head : int; tail : List };
            service : {
                a : (nat) -> (List); c : (func (text) -> ()) -> (); e : () -> ();
                d : (service { x : (bool) -> (); z : () -> () }) -> (vec variant { Ok : opt nat8; No });
            }";
        let (err, no) = (candid::idl_hash("Err"), candid::idl_hash("No"));
        assert_eq!(
            told(pasted, certified),
            [
                "a: pasted as update, and the canister says query".to_owned(),
                "a arguments: 1 values are pasted, and the canister says 2".to_owned(),
                "a result 1 .head: int is pasted, and the canister says nat".to_owned(),
                "b: the pasted interface leaves the method out".to_owned(),
                "c argument 1: pasted as update, and the canister says query".to_owned(),
                "c argument 1 argument 1: text is pasted, and the canister says nat".to_owned(),
                format!("d result 1 []: the canister has no `No` ({no})"),
                format!("d result 1 []: the pasted interface leaves `Err` ({err}) out"),
                "d result 1 [] .Ok: opt is pasted, and the canister says nat8".to_owned(),
                "d argument 1 z: the canister has no such method".to_owned(),
                "d argument 1 y: the pasted interface leaves the method out".to_owned(),
                "d argument 1 x arguments: 1 values are pasted, and the canister says 0".to_owned(),
                "e: the canister has no such method".to_owned(),
            ]
        );
    }

    #[test]
    fn what_means_the_same_differs_in_nothing() {
        let one = "type A = opt record { n : nat; next : A }; service : { m : (a : A) -> (A) }";
        let other = "// words
            type B = opt record { next : opt record { next : B; n : nat }; n : nat };
            service : { m : (B) -> (x : B) }";
        assert_eq!(told(one, other), [""; 0]);
    }

    #[test]
    fn many_differences_are_cut_and_none_is_lost_whole() {
        let many = |ty: &str| {
            let methods = (0..100).map(|n| format!("m{n} : ({ty}) -> ();"));
            format!("service : {{ {} }}", methods.collect::<String>())
        };
        assert_eq!(
            told(&many("vec nat"), &many("vec int")).len(),
            MAX_DIFFERENCES
        );
        // Lists of coprime periods make more pairs than are looked at, and differ in one place.
        let list = |period: usize, last: &str| {
            let types = (0..period).map(|n| {
                let next = (n + 1) % period;
                let ty = if n + 1 == period { last } else { "nat" };
                format!("type T{n} = record {{ v : {ty}; next : opt T{next} }};")
            });
            format!(
                "{} service : {{ m : (T0) -> () }}",
                types.collect::<String>()
            )
        };
        assert!(!told(&list(199, "nat"), &list(197, "int")).is_empty());
        assert_eq!(told(&list(199, "nat"), &list(197, "nat")), [""; 0]);
    }

    #[test]
    fn a_place_from_outside_is_escaped() {
        let pasted = "service : { \"a\\u{202e}b\" : () -> () }";
        let told = told(pasted, "service : {}");
        assert!(!told[0].contains('\u{202e}'), "{told:?}");
    }
}
