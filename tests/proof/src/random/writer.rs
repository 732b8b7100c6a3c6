//! A second encoder, written from the Candid specification ("Serialisation") alone. Its type table
//! repeats what another would share, which is as good a message.

use super::{
    types::{Fields, Func, Model, Prim, Ty},
    values::Val,
};
use num_bigint::{BigInt, BigUint};

/// The message that holds the values of the arguments.
#[must_use]
pub fn message(model: &Model, values: &[Val]) -> Vec<u8> {
    let mut table = Table {
        model,
        definitions: vec![None; model.definitions.len()],
        entries: Vec::new(),
    };
    let types: Vec<i64> = model.args.iter().map(|ty| table.code(ty)).collect();
    let mut out = b"DIDL".to_vec();
    leb(&mut out, table.entries.len());
    table.entries.iter().for_each(|entry| out.extend(entry));
    leb(&mut out, types.len());
    types
        .iter()
        .for_each(|code| sleb(&mut out, &(*code).into()));
    for (ty, value) in model.args.iter().zip(values) {
        write(model, ty, value, &mut out);
    }
    out
}

struct Table<'a> {
    model: &'a Model,
    definitions: Vec<Option<i64>>,
    entries: Vec<Vec<u8>>,
}

impl Table<'_> {
    /// The code of a type: a primitive one's, or its place in the table.
    fn code(&mut self, ty: &Ty) -> i64 {
        match ty {
            Ty::Prim(prim) => code_of(*prim),
            Ty::Name(index) => match (self.definitions[*index], &self.model.definitions[*index]) {
                (Some(code), _) => code,
                (None, Ty::Prim(prim)) => code_of(*prim),
                (None, definition) => {
                    let code = self.reserve();
                    self.definitions[*index] = Some(code);
                    self.fill(code, definition);
                    code
                }
            },
            composite => {
                let code = self.reserve();
                self.fill(code, composite);
                code
            }
        }
    }

    fn reserve(&mut self) -> i64 {
        self.entries.push(Vec::new());
        i64::try_from(self.entries.len() - 1).expect("a small number")
    }

    fn fill(&mut self, code: i64, ty: &Ty) {
        let mut out = Vec::new();
        match ty {
            Ty::Opt(inner) => {
                sleb(&mut out, &(-18).into());
                sleb(&mut out, &self.code(inner).into());
            }
            Ty::Vec(inner) => {
                sleb(&mut out, &(-19).into());
                sleb(&mut out, &self.code(inner).into());
            }
            Ty::Record(fields) => self.fields(-20, fields, &mut out),
            Ty::Variant(cases) => self.fields(-21, cases, &mut out),
            Ty::Func(func) => {
                sleb(&mut out, &(-22).into());
                self.func(func, &mut out);
            }
            Ty::Service(methods) => {
                sleb(&mut out, &(-23).into());
                leb(&mut out, methods.len());
                for (name, func) in methods {
                    text(&mut out, name);
                    let code = self.code(&Ty::Func(func.clone()));
                    sleb(&mut out, &code.into());
                }
            }
            Ty::Prim(_) | Ty::Name(_) => unreachable!("only composite types are in the table"),
        }
        self.entries[usize::try_from(code).expect("it was reserved")] = out;
    }

    fn fields(&mut self, opcode: i64, fields: &Fields, out: &mut Vec<u8>) {
        sleb(out, &opcode.into());
        leb(out, fields.len());
        for (label, ty) in fields {
            unsigned(out, label.id().into());
            sleb(out, &self.code(ty).into());
        }
    }

    fn func(&mut self, func: &Func, out: &mut Vec<u8>) {
        for types in [&func.args, &func.rets] {
            leb(out, types.len());
            types.iter().for_each(|ty| sleb(out, &self.code(ty).into()));
        }
        leb(out, usize::from(func.mode.is_some()));
        out.extend(func.mode.map(|(_, code)| code));
    }
}

fn code_of(prim: Prim) -> i64 {
    let found = Prim::ALL.iter().find(|(other, _)| *other == prim);
    found.expect("every primitive type is listed").1
}

fn write(model: &Model, ty: &Ty, value: &Val, out: &mut Vec<u8>) {
    match (model.resolve(ty), value) {
        (Ty::Prim(prim), Val::Number(number)) => match prim {
            Prim::Nat => unsigned(out, number.magnitude().clone()),
            Prim::Int => sleb(out, number),
            Prim::NatBits(bits) | Prim::IntBits(bits) => {
                let mut bytes = number.to_signed_bytes_le();
                let fill = if number.sign() == num_bigint::Sign::Minus {
                    0xff
                } else {
                    0
                };
                bytes.resize(usize::try_from(bits / 8).expect("a small number"), fill);
                out.extend(bytes);
            }
            _ => unreachable!("{prim:?} has no numbers"),
        },
        (Ty::Prim(Prim::Float32), Val::Float(bits)) => {
            out.extend((f64::from_bits(*bits) as f32).to_le_bytes());
        }
        (Ty::Prim(_), Val::Float(bits)) => out.extend(bits.to_le_bytes()),
        (_, Val::Null) => {}
        (_, Val::Bool(value)) => out.push(u8::from(*value)),
        (_, Val::Text(value)) => text(out, value),
        (_, Val::Principal(id)) => reference(out, id),
        (_, Val::Func(id, method)) => {
            out.push(1);
            reference(out, id);
            text(out, method);
        }
        (Ty::Opt(inner), Val::Opt(held)) => {
            out.push(u8::from(held.is_some()));
            if let Some(held) = held {
                write(model, inner, held, out);
            }
        }
        (_, Val::Blob(bytes)) => {
            leb(out, bytes.len());
            out.extend(bytes);
        }
        (Ty::Vec(inner), Val::Vec(values)) => {
            leb(out, values.len());
            for value in values {
                write(model, inner, value, out);
            }
        }
        (Ty::Record(fields), Val::Record(values)) => {
            for ((_, ty), value) in fields.iter().zip(values) {
                write(model, ty, value, out);
            }
        }
        (Ty::Variant(cases), Val::Variant(index, held)) => {
            leb(out, *index);
            write(model, &cases[*index].1, held, out);
        }
        (ty, value) => unreachable!("{value:?} is not of {ty:?}"),
    }
}

fn reference(out: &mut Vec<u8>, id: &[u8]) {
    out.push(1);
    leb(out, id.len());
    out.extend(id);
}

fn text(out: &mut Vec<u8>, value: &str) {
    leb(out, value.len());
    out.extend(value.bytes());
}

fn leb(out: &mut Vec<u8>, number: usize) {
    unsigned(out, number.into());
}

/// Unsigned LEB128.
fn unsigned(out: &mut Vec<u8>, mut number: BigUint) {
    let low = BigUint::from(0x7f_u8);
    while number > low {
        out.push(byte(&(&number & &low).into()) | 0x80);
        number >>= 7;
    }
    out.push(byte(&number.into()));
}

/// Signed LEB128.
fn sleb(out: &mut Vec<u8>, number: &BigInt) {
    let mut number = number.clone();
    loop {
        let low = byte(&(&number & BigInt::from(0x7f)));
        number >>= 7_u8;
        let sign = low & 0x40 != 0;
        let ends = if sign {
            number == BigInt::from(-1)
        } else {
            number == BigInt::default()
        };
        if ends {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

fn byte(number: &BigInt) -> u8 {
    u8::try_from(number).expect("it is masked to seven bits")
}
