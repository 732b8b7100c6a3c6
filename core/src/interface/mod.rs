//! A canister's Candid interface: read from text, resolved to types, and the way to and from bytes.
//!
//! The text comes from outside and may be hostile: it is bounded before a parser sees it, and every
//! bound ends in an error. Bytes from outside are decoded under a quota. What a method is *for* is
//! no matter of this room (see `profile`).

mod codec;
mod compare;
mod error;
mod graph;
mod guard;
mod labels;
mod parse;
mod wire;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use candid::types::{Type, TypeEnv};

pub use candid::{IDLArgs, IDLValue};
pub use codec::{CodecError, Tuple, decode_as_stated};
pub use compare::{Difference, Differs, MAX_DIFFERENCES, differences};
pub use error::InterfaceError;
pub use guard::{MAX_NAME, MAX_NESTING, MAX_TEXT, MAX_TOKENS};

use crate::ids::ContentHash;

/// The most types an interface may write.
pub const MAX_NODES: usize = 10_000;
/// The most methods of a service.
pub const MAX_METHODS: usize = 1_000;
/// The longest chain of types that hold one another.
pub const MAX_CHAIN: usize = 400;

/// A service: its methods and the definitions that their types name.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The methods by name.
    pub methods: BTreeMap<String, Method>,
    /// The definitions that types in [`Interface::methods`] refer to.
    pub env: TypeEnv,
    /// The arguments of the service constructor, where the text has one.
    pub init: Option<Vec<Arg>>,
    fingerprint: ContentHash,
}

impl Interface {
    /// Reads a Candid text (Candid specification, "Core grammar").
    ///
    /// # Errors
    ///
    /// A text that is no flat, sound service interface, or is over a bound.
    pub fn parse(text: &str) -> Result<Self, InterfaceError> {
        parse::parse(text)
    }

    /// SHA-256 of what the interface means: methods with their names, modes and types, types with
    /// their labels. Names of definitions and arguments, comments, the service constructor and the
    /// order of definitions are not in it.
    #[must_use]
    pub const fn fingerprint(&self) -> ContentHash {
        self.fingerprint
    }
}

/// One method of a service.
#[derive(Clone, Debug)]
pub struct Method {
    /// How the method is called.
    pub mode: Mode,
    /// The arguments in order.
    pub args: Vec<Arg>,
    /// The results in order.
    pub results: Vec<Arg>,
    /// The comment lines that stand right above the method. They are words from outside.
    pub docs: Vec<String>,
}

/// An argument or a result.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The name in the text, where there is one. It is not part of the interface's meaning.
    pub name: Option<String>,
    /// The type.
    pub ty: Type,
}

/// How a method is called (Candid specification, "Functions").
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Mode {
    /// By a query call, or by an update call where the answer must be certified.
    Query,
    /// By a query call only: it asks other canisters.
    CompositeQuery,
    /// By an update call.
    Update,
    /// By an update call that is never answered.
    Oneway,
}

impl Method {
    /// The types of the arguments.
    #[must_use]
    pub fn arg_types(&self) -> Vec<Type> {
        self.args.iter().map(|arg| arg.ty.clone()).collect()
    }

    /// The types of the results.
    #[must_use]
    pub fn result_types(&self) -> Vec<Type> {
        self.results.iter().map(|arg| arg.ty.clone()).collect()
    }
}

impl Mode {
    /// The word a plan or a stored form uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::CompositeQuery => "composite_query",
            Self::Update => "update",
            Self::Oneway => "oneway",
        }
    }

    /// Whether calling the method is a read by its own word.
    #[must_use]
    pub const fn is_query(self) -> bool {
        match self {
            Self::Query | Self::CompositeQuery => true,
            Self::Update | Self::Oneway => false,
        }
    }
}
