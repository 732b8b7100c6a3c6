//! Why an interface or bytes are refused.

use thiserror::Error;

use crate::text::Untrusted;

/// Why a text is not taken as an interface. Each sentence says what to do.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum InterfaceError {
    /// Over [`MAX_TEXT`](super::MAX_TEXT).
    #[error("the interface is longer than 1 MiB: give the service's own part of it")]
    TooLarge,
    /// Over [`MAX_TOKENS`](super::MAX_TOKENS).
    #[error("the interface has more than 200,000 words and signs: give the service's own part")]
    TooManyTokens,
    /// Over [`MAX_NESTING`](super::MAX_NESTING).
    #[error("line {line}: types are nested more than 100 deep: name the inner ones")]
    TooDeep {
        /// The line, from 1.
        line: usize,
    },
    /// Over [`MAX_NAME`](super::MAX_NAME).
    #[error("line {line}: a name is longer than 512 bytes")]
    NameTooLong {
        /// The line, from 1.
        line: usize,
    },
    /// Over [`MAX_NODES`](super::MAX_NODES).
    #[error("the interface has more than 10,000 types: give the service's own part of it")]
    TooManyTypes,
    /// Over [`MAX_METHODS`](super::MAX_METHODS).
    #[error("the interface has more than 1,000 methods: give the service's own part of it")]
    TooManyMethods,
    /// Definitions refer to one another in longer chains than
    /// [`MAX_CHAIN`](super::MAX_CHAIN).
    #[error("types refer to one another more than 400 deep: flatten the definitions")]
    ChainTooLong,
    /// The text imports another.
    #[error("line {line}: the interface imports another file: give one flat file without imports")]
    Imports {
        /// The line, from 1.
        line: usize,
    },
    /// A comment or a quoted name has no end.
    #[error("line {line}: a comment or quoted name that begins here has no end")]
    Unclosed {
        /// The line, from 1.
        line: usize,
    },
    /// A quoted name that is no text.
    #[error("line {line}: a quoted name has an escape that stands for no text")]
    BadEscape {
        /// The line, from 1.
        line: usize,
    },
    /// No Candid.
    #[error("line {line}: `{near}` cannot stand here: check the Candid text")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        near: Untrusted,
    },
    /// The text ends too early.
    #[error("the interface ends in the middle: give the whole text")]
    Ends,
    /// There is no `service`.
    #[error("the text has no `service`: give the interface with its methods")]
    NoService,
    /// A name that is not defined.
    #[error("the type `{name}` is not defined: give the interface with all its definitions")]
    Unbound {
        /// The name.
        name: Untrusted,
    },
    /// A name that is defined twice.
    #[error("the type `{name}` is defined twice")]
    DefinedTwice {
        /// The name.
        name: Untrusted,
    },
    /// Two labels of one record or variant, or two names of one service or tuple, are the same.
    #[error("line {line}: two names that stand together are the same, or have the same hash")]
    SameLabel {
        /// The line, from 1.
        line: usize,
    },
    /// A definition that is only a name for itself.
    #[error("the type `{name}` is defined by nothing but itself")]
    Cyclic {
        /// The name.
        name: Untrusted,
    },
    /// A method whose type is no function.
    #[error("the method `{name}` has a type that is no function")]
    NoFunction {
        /// The method.
        name: Untrusted,
    },
    /// The actor's type is no service.
    #[error("the type of the service, `{name}`, is no service")]
    NoServiceType {
        /// The name.
        name: Untrusted,
    },
    /// A function with more than one mode, or a oneway function with results.
    #[error("a function has more than one mode, or is oneway and has results")]
    BadMode,
}

impl InterfaceError {
    /// The line it is about, from 1, where it is about one.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        match self {
            Self::TooDeep { line }
            | Self::NameTooLong { line }
            | Self::Imports { line }
            | Self::Unclosed { line }
            | Self::BadEscape { line }
            | Self::Syntax { line, .. }
            | Self::SameLabel { line } => Some(*line),
            Self::TooLarge
            | Self::TooManyTokens
            | Self::TooManyTypes
            | Self::TooManyMethods
            | Self::ChainTooLong
            | Self::Ends
            | Self::NoService
            | Self::Unbound { .. }
            | Self::DefinedTwice { .. }
            | Self::Cyclic { .. }
            | Self::NoFunction { .. }
            | Self::NoServiceType { .. }
            | Self::BadMode => None,
        }
    }

    /// What stands on that line and is to blame, where it is one word or sign.
    #[must_use]
    pub const fn near(&self) -> Option<&Untrusted> {
        match self {
            Self::Syntax { near, .. } => Some(near),
            Self::TooLarge
            | Self::TooManyTokens
            | Self::TooDeep { .. }
            | Self::NameTooLong { .. }
            | Self::TooManyTypes
            | Self::TooManyMethods
            | Self::ChainTooLong
            | Self::Imports { .. }
            | Self::Unclosed { .. }
            | Self::BadEscape { .. }
            | Self::Ends
            | Self::NoService
            | Self::Unbound { .. }
            | Self::DefinedTwice { .. }
            | Self::SameLabel { .. }
            | Self::Cyclic { .. }
            | Self::NoFunction { .. }
            | Self::NoServiceType { .. }
            | Self::BadMode => None,
        }
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLarge
            | Self::TooManyTokens
            | Self::TooDeep { .. }
            | Self::NameTooLong { .. }
            | Self::TooManyTypes
            | Self::TooManyMethods
            | Self::ChainTooLong => "E_INTERFACE_LIMIT",
            Self::Imports { .. } => "E_INTERFACE_IMPORT",
            Self::Unclosed { .. }
            | Self::BadEscape { .. }
            | Self::Syntax { .. }
            | Self::Ends
            | Self::NoService
            | Self::Unbound { .. }
            | Self::DefinedTwice { .. }
            | Self::SameLabel { .. }
            | Self::Cyclic { .. }
            | Self::NoFunction { .. }
            | Self::NoServiceType { .. }
            | Self::BadMode => "E_INTERFACE_SYNTAX",
        }
    }
}
