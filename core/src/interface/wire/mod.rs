//! The scan that bytes pass before the decoder sees them (Candid specification, "Serialisation").
//!
//! The decoder recurses along the types and the nesting of values, and compares the types on the
//! wire with those that are expected; on a 32-bit target nothing stops it before the stack ends.
//! The scan is a loop: it reads the type table and skips over the values, and refuses what is too
//! deep or holds more values than its length explains.

mod compare;

use candid::types::{Type, TypeEnv, TypeInner};

use super::CodecError;
use super::graph::longest_chain;

/// The longest type table, in bytes.
const MAX_HEADER: usize = 64 * 1024;
/// The longest chain of types in a table that hold one another.
const MAX_CHAIN: usize = super::MAX_CHAIN;
/// The deepest nesting of values.
pub(super) const MAX_DEPTH: usize = 128;
/// The longest number, in bytes: some 2,000 digits, which are twice as many as a caller may write.
/// Writing a number out takes the square of its length.
const MAX_NUMBER: usize = 1_024;
/// The most values in one message.
const MAX_VALUES: usize = 1_000_000;

/// The most cases that are looked at for the variants of one message.
const MAX_LOOKS: usize = 5_000_000;

/// Scans a message that shall be decoded as these types.
pub(super) fn scan(bytes: &[u8], env: &TypeEnv, types: &[Type]) -> Result<(), CodecError> {
    let mut reader = Reader { bytes, at: 0 };
    let mut table = Table { types: Vec::new() };
    let args = reader.header(&mut table)?;
    let wire_types = table.types.len();
    if longest_chain(wire_types, |ty| table.types[ty].children()) > MAX_CHAIN {
        return Err(CodecError::TooDeep);
    }
    compare::scan(&mut table, &args, env, types)?;
    reader.values(&table, args, most_cases(env, types))
}

/// How many cases the widest variant has of these types.
fn most_cases(env: &TypeEnv, types: &[Type]) -> usize {
    let mut most = 1;
    let mut open: Vec<&Type> = env.0.values().chain(types).collect();
    while let Some(ty) = open.pop() {
        match ty.as_ref() {
            TypeInner::Opt(inner) | TypeInner::Vec(inner) => open.push(inner),
            TypeInner::Variant(cases) => {
                most = most.max(cases.len());
                open.extend(cases.iter().map(|case| &case.ty));
            }
            TypeInner::Record(fields) => open.extend(fields.iter().map(|field| &field.ty)),
            // Values of these are no more than names; what a name stands for is in the environment.
            _ => {}
        }
    }
    most
}

/// A type, by its place in the table.
type TypeId = usize;

/// A type of a table.
enum TableType {
    /// A type that holds no others, by its number on the wire.
    Primitive(i64),
    Opt([TypeId; 1]),
    Vec([TypeId; 1]),
    Record(Members),
    Variant(Members),
    /// Arguments and results, and how many of them are arguments.
    Func(Vec<TypeId>, usize),
    Service(Vec<Vec<u8>>, Vec<TypeId>),
}

/// Labels in rising order, and the types beside them.
struct Members {
    labels: Vec<u32>,
    types: Vec<TypeId>,
}

impl TableType {
    fn children(&self) -> &[TypeId] {
        match self {
            Self::Primitive(_) => &[],
            Self::Opt(inner) | Self::Vec(inner) => inner,
            Self::Record(members) | Self::Variant(members) => &members.types,
            Self::Func(types, _) | Self::Service(_, types) => types,
        }
    }
}

struct Table {
    types: Vec<TableType>,
}

mod opcode {
    pub(super) const NULL: i64 = -1;
    pub(super) const BOOL: i64 = -2;
    pub(super) const NAT: i64 = -3;
    pub(super) const INT: i64 = -4;
    pub(super) const NAT8: i64 = -5;
    pub(super) const NAT16: i64 = -6;
    pub(super) const NAT32: i64 = -7;
    pub(super) const NAT64: i64 = -8;
    pub(super) const INT8: i64 = -9;
    pub(super) const INT16: i64 = -10;
    pub(super) const INT32: i64 = -11;
    pub(super) const INT64: i64 = -12;
    pub(super) const FLOAT32: i64 = -13;
    pub(super) const FLOAT64: i64 = -14;
    pub(super) const TEXT: i64 = -15;
    pub(super) const RESERVED: i64 = -16;
    pub(super) const EMPTY: i64 = -17;
    pub(super) const OPT: i64 = -18;
    pub(super) const VEC: i64 = -19;
    pub(super) const RECORD: i64 = -20;
    pub(super) const VARIANT: i64 = -21;
    pub(super) const FUNC: i64 = -22;
    pub(super) const SERVICE: i64 = -23;
    pub(super) const PRINCIPAL: i64 = -24;
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], CodecError> {
        let end = self.at.checked_add(count).ok_or(CodecError::Malformed)?;
        let taken = self.bytes.get(self.at..end).ok_or(CodecError::Malformed)?;
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, CodecError> {
        Ok(self.take(1)?[0])
    }

    /// An unsigned number (LEB128) of at most 64 bits.
    fn number(&mut self) -> Result<u64, CodecError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(CodecError::Malformed);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(CodecError::Malformed)
    }

    fn length(&mut self) -> Result<usize, CodecError> {
        usize::try_from(self.number()?).map_err(|_| CodecError::Malformed)
    }

    /// A length of things that take at least a byte each.
    fn count(&mut self) -> Result<usize, CodecError> {
        let count = self.length()?;
        if count > self.bytes.len() - self.at {
            return Err(CodecError::Malformed);
        }
        Ok(count)
    }

    /// A signed number (SLEB128) of at most 32 bits: a type.
    fn signed(&mut self) -> Result<i64, CodecError> {
        let mut number = 0_i64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= i64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                if byte & 0x40 != 0 {
                    number |= -1 << (shift + 7);
                }
                return Ok(number);
            }
        }
        Err(CodecError::Malformed)
    }

    /// Skips a number of up to [`MAX_NUMBER`] bytes.
    fn skip_number(&mut self) -> Result<(), CodecError> {
        for _ in 0..MAX_NUMBER {
            if self.byte()? & 0x80 == 0 {
                return Ok(());
            }
        }
        Err(CodecError::TooLarge)
    }

    /// A type that is referred to: one of the table of `count`, or a primitive one, which is added.
    fn type_ref(&mut self, table: &mut Extra) -> Result<TypeId, CodecError> {
        let number = self.signed()?;
        match usize::try_from(number) {
            Ok(id) if id < table.count => Ok(id),
            Ok(_) => Err(CodecError::Malformed),
            Err(_) if is_primitive(number) => Ok(table.primitive(number)),
            Err(_) => Err(CodecError::Malformed),
        }
    }

    /// Reads the table and the types of the arguments.
    fn header(&mut self, table: &mut Table) -> Result<Vec<TypeId>, CodecError> {
        if self.take(4)? != b"DIDL" {
            return Err(CodecError::Malformed);
        }
        let count = self.count()?;
        let mut extra = Extra {
            count,
            primitives: Vec::new(),
        };
        for _ in 0..count {
            let ty = match self.signed()? {
                opcode::OPT => TableType::Opt([self.type_ref(&mut extra)?]),
                opcode::VEC => TableType::Vec([self.type_ref(&mut extra)?]),
                opcode::RECORD => TableType::Record(self.members(&mut extra)?),
                opcode::VARIANT => TableType::Variant(self.members(&mut extra)?),
                opcode::FUNC => {
                    let args = self.type_refs(&mut extra)?;
                    let results = self.type_refs(&mut extra)?;
                    let modes = self.count()?;
                    self.take(modes)?;
                    let count = args.len();
                    TableType::Func([args, results].concat(), count)
                }
                opcode::SERVICE => {
                    let mut names = Vec::new();
                    let mut types = Vec::new();
                    for _ in 0..self.count()? {
                        let length = self.count()?;
                        names.push(self.take(length)?.to_vec());
                        types.push(self.type_ref(&mut extra)?);
                    }
                    TableType::Service(names, types)
                }
                _ => return Err(CodecError::Malformed),
            };
            table.types.push(ty);
        }
        let args = self.type_refs(&mut extra)?;
        if self.at > MAX_HEADER {
            return Err(CodecError::TooLarge);
        }
        table
            .types
            .extend(extra.primitives.into_iter().map(TableType::Primitive));
        Ok(args)
    }

    fn type_refs(&mut self, extra: &mut Extra) -> Result<Vec<TypeId>, CodecError> {
        (0..self.count()?).map(|_| self.type_ref(extra)).collect()
    }

    fn members(&mut self, extra: &mut Extra) -> Result<Members, CodecError> {
        let mut members = Members {
            labels: Vec::new(),
            types: Vec::new(),
        };
        for _ in 0..self.count()? {
            let label = u32::try_from(self.number()?).map_err(|_| CodecError::Malformed)?;
            if members.labels.last().is_some_and(|last| *last >= label) {
                return Err(CodecError::Malformed);
            }
            members.labels.push(label);
            members.types.push(self.type_ref(extra)?);
        }
        Ok(members)
    }

    /// Skips over the values, counting them and how deep they stand in one another. A variant's
    /// case is looked for among the `cases` of the type that is expected, one after the other.
    fn values(&mut self, table: &Table, args: Vec<TypeId>, cases: usize) -> Result<(), CodecError> {
        let mut looks = MAX_LOOKS;
        let mut left = MAX_VALUES.min(50_000 + 2 * self.bytes.len());
        let mut open: Vec<Open<'_>> = Vec::new();
        for arg in args {
            let mut next = Some(arg);
            loop {
                let ty = match (next.take(), open.last_mut()) {
                    (Some(ty), _) => ty,
                    (None, None) => break,
                    (None, Some(Open::Repeat(_, 0) | Open::Each([]))) => {
                        open.pop();
                        continue;
                    }
                    (None, Some(Open::Repeat(ty, times))) => {
                        *times -= 1;
                        *ty
                    }
                    (None, Some(Open::Each(types))) => {
                        let (first, rest) = types.split_first().expect("it is not empty");
                        *types = rest;
                        *first
                    }
                };
                left = left.checked_sub(1).ok_or(CodecError::TooLarge)?;
                match &table.types[ty] {
                    TableType::Primitive(number) => self.primitive(*number)?,
                    TableType::Opt([inner]) => match self.byte()? {
                        0 => {}
                        1 => open.push(Open::Repeat(*inner, 1)),
                        _ => return Err(CodecError::Malformed),
                    },
                    TableType::Vec([inner]) => {
                        let length = self.length()?;
                        match &table.types[*inner] {
                            TableType::Primitive(opcode::NAT8 | opcode::INT8) => {
                                self.take(length)?;
                            }
                            _ => open.push(Open::Repeat(*inner, length)),
                        }
                    }
                    TableType::Record(members) => open.push(Open::Each(&members.types)),
                    TableType::Variant(members) => {
                        let case = self.length()?;
                        let ty = members.types.get(case).ok_or(CodecError::Malformed)?;
                        looks = looks.checked_sub(cases).ok_or(CodecError::TooLarge)?;
                        open.push(Open::Repeat(*ty, 1));
                    }
                    TableType::Func(..) => {
                        if self.byte()? != 1 {
                            return Err(CodecError::Malformed);
                        }
                        self.reference()?;
                        let length = self.length()?;
                        self.take(length)?;
                    }
                    TableType::Service(..) => self.reference()?,
                }
                if open.len() > MAX_DEPTH {
                    return Err(CodecError::TooDeep);
                }
            }
        }
        if self.at != self.bytes.len() {
            return Err(CodecError::Malformed);
        }
        Ok(())
    }

    /// A principal.
    fn reference(&mut self) -> Result<(), CodecError> {
        if self.byte()? != 1 {
            return Err(CodecError::Malformed);
        }
        let length = self.length()?;
        self.take(length)?;
        Ok(())
    }

    fn primitive(&mut self, number: i64) -> Result<(), CodecError> {
        let width = match number {
            opcode::NULL | opcode::RESERVED => 0,
            opcode::BOOL | opcode::NAT8 | opcode::INT8 => 1,
            opcode::NAT16 | opcode::INT16 => 2,
            opcode::NAT32 | opcode::INT32 | opcode::FLOAT32 => 4,
            opcode::NAT64 | opcode::INT64 | opcode::FLOAT64 => 8,
            opcode::NAT | opcode::INT => return self.skip_number(),
            opcode::TEXT => self.length()?,
            opcode::PRINCIPAL => return self.reference(),
            // `empty` has no values.
            _ => return Err(CodecError::Malformed),
        };
        self.take(width)?;
        Ok(())
    }
}

/// Values that are still to come.
enum Open<'t> {
    Repeat(TypeId, usize),
    Each(&'t [TypeId]),
}

/// Primitive types that a table refers to. They stand behind the table's own `count` types.
struct Extra {
    count: usize,
    primitives: Vec<i64>,
}

impl Extra {
    fn primitive(&mut self, number: i64) -> TypeId {
        let at = self
            .primitives
            .iter()
            .position(|known| *known == number)
            .unwrap_or_else(|| {
                self.primitives.push(number);
                self.primitives.len() - 1
            });
        self.count + at
    }
}

const fn is_primitive(number: i64) -> bool {
    matches!(number, opcode::EMPTY..=opcode::NULL | opcode::PRINCIPAL)
}
