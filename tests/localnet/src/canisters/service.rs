//! A canister's methods as a table. One row has name, mode, Candid types and code, so that the
//! interface a canister exports is the one it answers by.

use super::Call;
use crate::network::Reject;
use candid::{
    CandidType, Decode, Encode,
    types::{FuncMode, Function, Type, TypeInner, internal::TypeContainer},
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

type QueryFn<S> = Box<dyn Fn(&S, &Call<'_>, &[u8]) -> Result<Vec<u8>, Reject> + Send + Sync>;
type UpdateFn<S> = Box<dyn Fn(&mut S, &Call<'_>, &[u8]) -> Result<Vec<u8>, Reject> + Send + Sync>;

enum Run<S> {
    Query(QueryFn<S>),
    Update(UpdateFn<S>),
}

/// The methods of a canister whose state is `S`.
pub(super) struct Service<S> {
    candid: String,
    methods: BTreeMap<&'static str, Run<S>>,
}

/// A service while its methods are listed.
pub(super) struct Builder<S> {
    types: TypeContainer,
    init: Vec<Type>,
    functions: Vec<(String, Type)>,
    methods: BTreeMap<&'static str, Run<S>>,
}

impl<S: 'static> Builder<S> {
    /// No methods yet; installed without arguments.
    pub(super) fn new() -> Self {
        Self {
            types: TypeContainer::new(),
            init: vec![],
            functions: vec![],
            methods: BTreeMap::new(),
        }
    }

    /// Installed with one argument more, of type `I`.
    pub(super) fn installed_with<I: CandidType>(mut self) -> Self {
        let argument = self.types.add::<I>();
        self.init.push(argument);
        self
    }

    fn add(&mut self, name: &'static str, args: Vec<Type>, ret: Type, run: Run<S>) {
        let modes = match run {
            Run::Query(_) => vec![FuncMode::Query],
            Run::Update(_) => vec![],
        };
        let function = TypeInner::Func(Function {
            modes,
            args,
            rets: vec![ret],
        })
        .into();
        self.functions.push((name.to_owned(), function));
        let before = self.methods.insert(name, run);
        assert!(before.is_none(), "two methods are named {name}");
    }

    /// A query without argument.
    pub(super) fn read<R: CandidType + 'static>(
        mut self,
        name: &'static str,
        run: fn(&S, &Call<'_>) -> R,
    ) -> Self {
        let ret = self.types.add::<R>();
        let run = Run::Query(Box::new(move |state, call, _| encode(&run(state, call))));
        self.add(name, vec![], ret, run);
        self
    }

    /// A query with one argument.
    pub(super) fn query<A, R>(mut self, name: &'static str, run: fn(&S, &Call<'_>, A) -> R) -> Self
    where
        A: CandidType + DeserializeOwned + 'static,
        R: CandidType + 'static,
    {
        let (arg, ret) = (self.types.add::<A>(), self.types.add::<R>());
        let run = Run::Query(Box::new(move |state, call, bytes| {
            encode(&run(state, call, decode(bytes)?))
        }));
        self.add(name, vec![arg], ret, run);
        self
    }

    /// A query with one argument, which may trap.
    pub(super) fn query_or_trap<A, R>(
        mut self,
        name: &'static str,
        run: fn(&S, &Call<'_>, A) -> Result<R, Reject>,
    ) -> Self
    where
        A: CandidType + DeserializeOwned + 'static,
        R: CandidType + 'static,
    {
        let (arg, ret) = (self.types.add::<A>(), self.types.add::<R>());
        let run = Run::Query(Box::new(move |state, call, bytes| {
            encode(&run(state, call, decode(bytes)?)?)
        }));
        self.add(name, vec![arg], ret, run);
        self
    }

    /// An update with one argument, which may trap.
    pub(super) fn update<A, R>(
        mut self,
        name: &'static str,
        run: fn(&mut S, &Call<'_>, A) -> Result<R, Reject>,
    ) -> Self
    where
        A: CandidType + DeserializeOwned + 'static,
        R: CandidType + 'static,
    {
        let (arg, ret) = (self.types.add::<A>(), self.types.add::<R>());
        let run = Run::Update(Box::new(move |state, call, bytes| {
            encode(&run(state, call, decode(bytes)?)?)
        }));
        self.add(name, vec![arg], ret, run);
        self
    }

    /// The service, with its interface as Candid text.
    pub(super) fn build(mut self) -> Service<S> {
        self.functions.sort_by(|(a, _), (b, _)| a.cmp(b));
        let service: Type = TypeInner::Service(self.functions).into();
        let class: Type = TypeInner::Class(self.init, service).into();
        Service {
            candid: candid::pretty::candid::compile(&self.types.env, &Some(class)),
            methods: self.methods,
        }
    }
}

impl<S> Service<S> {
    /// The interface, as Candid text.
    pub(super) fn candid(&self) -> &str {
        &self.candid
    }

    /// Answers a query.
    pub(super) fn answer(
        &self,
        state: &S,
        call: &Call<'_>,
        name: &str,
        arg: &[u8],
    ) -> Result<Vec<u8>, Reject> {
        match self.methods.get(name) {
            Some(Run::Query(run)) => run(state, call, arg),
            Some(Run::Update(_)) | None => Err(Reject::no_method("query", name)),
        }
    }

    /// Runs an update, or a query as an update.
    pub(super) fn execute(
        &self,
        state: &mut S,
        call: &Call<'_>,
        name: &str,
        arg: &[u8],
    ) -> Result<Vec<u8>, Reject> {
        match self.methods.get(name) {
            Some(Run::Query(run)) => run(state, call, arg),
            Some(Run::Update(run)) => run(state, call, arg),
            None => Err(Reject::no_method("update", name)),
        }
    }
}

fn encode<R: CandidType>(value: &R) -> Result<Vec<u8>, Reject> {
    Encode!(value).map_err(|error| Reject::trap(format!("cannot encode the reply: {error}")))
}

fn decode<A: CandidType + DeserializeOwned>(bytes: &[u8]) -> Result<A, Reject> {
    Decode!(bytes, A)
        .map_err(|error| Reject::trap(format!("failed to decode call arguments: {error}")))
}
