//! Random values of a type.

use super::{
    Rng,
    types::{Fields, Model, Prim, Ty, rank},
};
use num_bigint::{BigInt, BigUint, Sign};

/// A value. What it is of, its type says.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// Of `null` or `reserved`.
    Null,
    /// A truth value.
    Bool(bool),
    /// Of any integer type.
    Number(BigInt),
    /// A float's bits: of `float32`, those of the `float64` of the same value.
    Float(u64),
    /// Text.
    Text(String),
    /// A principal, as its bytes; a reference to a service too.
    Principal(Vec<u8>),
    /// A reference to a function.
    Func(Vec<u8>, String),
    /// An option that holds something, or nothing.
    Opt(Option<Box<Self>>),
    /// A list.
    Vec(Vec<Self>),
    /// A list of bytes.
    Blob(Vec<u8>),
    /// The fields in the order of the type.
    Record(Vec<Self>),
    /// Which case, and what it holds.
    Variant(usize, Box<Self>),
}

/// Characters that texts are made of: plain, of two to four bytes, hidden, turning, combining.
const CHARS: [char; 20] = [
    'a',
    'Z',
    '0',
    ' ',
    '"',
    '\\',
    '\n',
    '\0',
    'é',
    'ß',
    '金',
    '😀',
    '\u{202e}',
    '\u{200b}',
    '\u{2066}',
    '\u{feff}',
    '\u{301}',
    '\u{7f}',
    '\u{10ffff}',
    '\u{e000}',
];

/// How deep random values go before they become the smallest.
const FUEL: usize = 6;

/// A random text.
pub fn text(rng: &mut Rng, most: usize) -> String {
    (0..rng.below(most + 1)).map(|_| rng.pick(&CHARS)).collect()
}

/// A random principal: 0 to 29 bytes.
pub fn principal(rng: &mut Rng) -> Vec<u8> {
    rng.bytes(29)
}

/// A random number from 0 on, of up to `bits` bits: small ones and the ends as often as others.
pub fn natural(rng: &mut Rng, bits: u32) -> BigUint {
    let end = BigUint::from(1_u8) << bits;
    match rng.below(4) {
        0 => BigUint::from(rng.below(3)),
        1 => end - 1_u8 - BigUint::from(rng.below(2)),
        2 => BigUint::from(rng.bits()) % end,
        _ => {
            let bytes = usize::try_from(bits.div_ceil(8)).expect("a small number");
            BigUint::from_bytes_le(&rng.bytes(bytes)) % end
        }
    }
}

fn integer(rng: &mut Rng, bits: u32) -> BigInt {
    let size = BigInt::from(natural(rng, bits - 1));
    if rng.one_in(2) { -size - 1 } else { size }
}

/// A random number of an integer type; `None` for other types.
pub fn number(rng: &mut Rng, prim: Prim) -> Option<BigInt> {
    Some(match prim {
        Prim::Nat => BigInt::from_biguint(Sign::Plus, natural(rng, 300)),
        Prim::NatBits(bits) => BigInt::from_biguint(Sign::Plus, natural(rng, bits)),
        Prim::Int => integer(rng, 300),
        Prim::IntBits(bits) => integer(rng, bits),
        Prim::Null
        | Prim::Bool
        | Prim::Float32
        | Prim::Float64
        | Prim::Text
        | Prim::Reserved
        | Prim::Empty
        | Prim::Principal => return None,
    })
}

impl Model {
    /// A random value for each argument.
    ///
    /// # Panics
    ///
    /// A type has no values; those of a random interface have.
    pub fn values(&self, rng: &mut Rng) -> Vec<Val> {
        let ranks = self.ranks();
        (self.args.iter())
            .map(|ty| self.value(ty, &ranks, FUEL, rng))
            .collect()
    }

    fn value(&self, ty: &Ty, ranks: &[Option<usize>], fuel: usize, rng: &mut Rng) -> Val {
        let less = fuel.saturating_sub(1);
        match ty {
            Ty::Name(index) => self.value(&self.definitions[*index], ranks, less, rng),
            Ty::Prim(prim) => primitive(*prim, rng),
            Ty::Opt(inner) => {
                let nothing = fuel == 0 || rank(inner, ranks).is_none() || rng.one_in(3);
                Val::Opt((!nothing).then(|| Box::new(self.value(inner, ranks, less, rng))))
            }
            Ty::Vec(inner) if self.is_byte(inner) => Val::Blob(rng.bytes(40)),
            Ty::Vec(inner) => {
                let none = fuel == 0 || rank(inner, ranks).is_none();
                let count = if none { 0 } else { rng.below(4) };
                Val::Vec(
                    (0..count)
                        .map(|_| self.value(inner, ranks, less, rng))
                        .collect(),
                )
            }
            Ty::Record(fields) => Val::Record(
                (fields.iter())
                    .map(|(_, ty)| self.value(ty, ranks, less, rng))
                    .collect(),
            ),
            Ty::Variant(cases) => {
                let index = case(cases, ranks, fuel, rng);
                let held = self.value(&cases[index].1, ranks, less, rng);
                Val::Variant(index, Box::new(held))
            }
            Ty::Func(_) => Val::Func(principal(rng), text(rng, 4)),
            Ty::Service(_) => Val::Principal(principal(rng)),
        }
    }
}

fn case(cases: &Fields, ranks: &[Option<usize>], fuel: usize, rng: &mut Rng) -> usize {
    let mut inhabited: Vec<_> = (cases.iter().enumerate())
        .filter_map(|(index, (_, ty))| Some((rank(ty, ranks)?, index)))
        .collect();
    inhabited.sort_unstable();
    if fuel == 0 {
        inhabited.first().expect("a variant has a value").1
    } else {
        rng.pick(&inhabited).1
    }
}

fn primitive(prim: Prim, rng: &mut Rng) -> Val {
    if let Some(number) = number(rng, prim) {
        return Val::Number(number);
    }
    match prim {
        Prim::Bool => Val::Bool(rng.one_in(2)),
        Prim::Text => Val::Text(text(rng, 6)),
        Prim::Principal => Val::Principal(principal(rng)),
        Prim::Float32 => {
            let float = match rng.below(3) {
                0 => rng.pick(&[0.0, -0.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE, 0.1]),
                _ => f32::from_bits(rng.bits() as u32),
            };
            Val::Float(f64::from(float).to_bits())
        }
        Prim::Float64 => Val::Float(match rng.below(3) {
            0 => rng
                .pick(&[0.0, -0.0, f64::NAN, f64::NEG_INFINITY, f64::MAX, 0.1])
                .to_bits(),
            _ => rng.bits(),
        }),
        Prim::Null
        | Prim::Reserved
        | Prim::Empty
        | Prim::Nat
        | Prim::Int
        | Prim::NatBits(_)
        | Prim::IntBits(_) => Val::Null,
    }
}
