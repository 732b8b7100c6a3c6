//! What the fuzzers feed: a function a kind of input from outside, which panics where a promise is
//! broken. Nothing here may hang, overflow or panic, whatever the bytes.

use crate::hostile::{NOW, canister, kinds, ledger, odd, plain_all_over};
use countersign_core::{
    ids::PreviewId,
    interface::Interface,
    json::Json,
    profile::{Document, Given, Resolved, Source, packs, resolve, resolve_given},
    tools::{Catalog, Dialect, NameBook, Plan, Plans, build_plans, lint},
};
use serde_json::json;
use std::rc::Rc;

/// A kind of input from outside.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Target {
    /// The text of an interface.
    Did,
    /// A profile.
    Profile,
    /// The JSON of a tool's input; the first byte chooses the tool.
    Input,
    /// The bytes of a reply; the first byte chooses the method.
    Reply,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Did, Self::Profile, Self::Input, Self::Reply];

    /// Its name, which is that of its folder in the corpus.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Did => "did",
            Self::Profile => "profile",
            Self::Input => "input",
            Self::Reply => "reply",
        }
    }

    /// The target of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Gives it bytes.
    ///
    /// # Panics
    ///
    /// A promise is broken: a fault of ours.
    pub fn run(self, bytes: &[u8]) {
        match self {
            Self::Did => text_of(bytes).map_or((), did),
            Self::Profile => text_of(bytes).map_or((), profile),
            Self::Input => input(bytes),
            Self::Reply => reply(bytes),
        }
    }
}

fn text_of(bytes: &[u8]) -> Option<&str> {
    core::str::from_utf8(bytes).ok()
}

/// Everything that is told of tools is plain.
fn told(resolved: &Rc<Resolved>) -> Plans {
    let plans = build_plans(resolved);
    let catalog = Catalog::new(&[(canister(), &plans)], &mut NameBook::default());
    let mut told: Vec<_> = Dialect::ALL
        .iter()
        .flat_map(|dialect| catalog.definitions(*dialect))
        .collect();
    for definition in &told {
        let name = definition["name"].as_str().expect("a name");
        assert!(
            name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'),
            "{name}"
        );
    }
    told.extend((plans.skipped.iter()).map(|s| json!([s.told(), s.reason.to_string()])));
    told.extend((lint(resolved, &plans).iter()).map(|f| json!([f.place, f.message, f.advice])));
    if let Err(harm) = plain_all_over(told) {
        panic!("{harm:?}");
    }
    plans
}

fn did(text: &str) {
    let Ok(interface) = Interface::parse(text) else {
        return;
    };
    let again = Interface::parse(text).expect("it was read before");
    assert_eq!(interface.fingerprint(), again.fingerprint());
    let resolved = Rc::new(resolve(&interface, &packs::all(), &[]));
    told(&resolved);
    assert_eq!(
        resolve(&again, &packs::all(), &[]).to_json(),
        resolved.to_json()
    );
    for method in interface.methods.keys() {
        // The types of every method can be asked for.
        let tuple = interface.args(method).expect("the method is there");
        let _ = tuple.decode(b"DIDL\0\0");
    }
}

/// An interface with positions of many kinds, for profiles.
const SHOP: &str = "
    type Account = record { owner : principal; subaccount : opt blob };
    type Order = record {
        to : Account; amount : nat; fee : opt nat; made_at : opt nat64; note : text; code : blob;
    };
    type Command = variant { Go : Account; Stop; Wait : nat32 };
    service : {
        checkout : (Order) -> (variant { Ok : nat; Err : variant { Old; New : record { at : nat64 } } });
        act : (record { id : nat; command : opt Command }) -> (variant { Ok; Err : text });
        find : (record { word : text; most : nat; list : vec text }) -> (vec text) query;
        people : () -> (vec record { who : principal; name : text }) query;
        decimals : () -> (nat8) query; symbol : () -> (text) query;
    }";

fn profile(text: &str) {
    let Ok(document) = Document::parse(text) else {
        return;
    };
    let interface = Interface::parse(SHOP).expect("it is sound");
    let of = |given: &[Given<'_>]| Rc::new(resolve_given(&interface, given));
    let given = |source| Given {
        source,
        document: &document,
    };
    told(&of(&[given(Source::Person)]));
    for source in [Source::Canister, Source::Site] {
        let plans = told(&of(&[given(source)]));
        // It only narrows: no method has a tool by it that has none without it, and none prepares.
        let without = build_plans(&of(&[]));
        for (method, plan) in &plans.plans {
            assert!(without.plans.contains_key(method), "{method}");
            assert_eq!(plan.title(), without.plans[method].title());
        }
        assert!(plans.cases.is_empty());
    }
    told(&of(&[given(Source::Canister), given(Source::Person)]));
}

thread_local! {
    static PLANS: [Plans; 3] = [ledger(), odd(), kinds()];
}

fn plans(choose: impl FnOnce(&[Plans; 3])) {
    PLANS.with(choose);
}

fn input(bytes: &[u8]) {
    let Some((choice, text)) = bytes.split_first() else {
        return;
    };
    let Some(json) = text_of(text).and_then(|text| Json::parse(text).ok()) else {
        return;
    };
    // What is read is written as it was.
    assert_eq!(Json::parse(&json.to_string()).as_ref(), Ok(&json));
    plans(|all| {
        let all: Vec<_> = all.iter().map(|plans| (canister(), plans)).collect();
        let catalogs = all
            .iter()
            .map(|one| Catalog::new(core::slice::from_ref(one), &mut NameBook::default()));
        let tools: Vec<_> = catalogs.flat_map(|c| c.tools().to_vec()).collect();
        let tool = &tools[usize::from(*choice) % tools.len()];
        let call = match tool.read(&json, NOW) {
            Ok(call) => call,
            Err(issues) => {
                assert!(!issues.is_empty());
                if let Err(harm) = plain_all_over([json!(issues)]) {
                    panic!("{harm:?}");
                }
                return;
            }
        };
        let bytes = call.input.encode(Some(NOW)).expect("it was read");
        let plan = &call.entry.plan;
        let id = PreviewId::from_bytes([0; 16]);
        plan.preview(id, &canister(), &bytes).expect("it is exact");
        let person = plan
            .decode_for_person(&canister(), &bytes)
            .expect("likewise");
        let lines = person
            .arguments
            .iter()
            .map(|a| json!([a.path, a.text, a.raw]));
        if let Err(harm) = plain_all_over(lines.chain([json!(person.title)])) {
            panic!("{harm:?}");
        }
        let again = tool.read(&json, NOW).expect("it was read before");
        assert_eq!(again.input.identity, call.input.identity);
    });
}

fn reply(bytes: &[u8]) {
    let Some((choice, message)) = bytes.split_first() else {
        return;
    };
    plans(|all| {
        let all: Vec<&Rc<Plan>> = all.iter().flat_map(Plans::iter).collect();
        let plan = all[usize::from(*choice) % all.len()];
        let shown = plan.read_reply(&canister(), message);
        let classed = plan.classify(&canister(), message);
        let shown = shown
            .into_iter()
            .chain(classed.map(|classed| classed.details));
        if let Err(harm) = plain_all_over(shown) {
            panic!("{harm:?}");
        }
        // As arguments they are shown, or are not exactly of the types.
        let _ = plan.decode_for_person(&canister(), message);
    });
    // Two tuples of every kind of type, and one that drops what it is given.
    let interface = Interface::parse(
        "type A = record { a : opt A; b : variant { x : text; y : vec A; z : nat }; c : blob };
         type F = func (A) -> () query;
         service : { a : (A) -> (); b : (opt F, vec opt int, float64) -> (); c : (reserved) -> () }",
    )
    .expect("it is sound");
    for method in ["a", "b", "c"] {
        let tuple = interface.args(method).expect("it is there");
        if let Ok(values) = tuple.decode(message) {
            let again = tuple.encode(&values).expect("they are of the types");
            let read = tuple.decode_exact(&again).expect("they were written");
            // As text, since no number equals itself that is none.
            assert_eq!(format!("{read:?}"), format!("{values:?}"));
        }
    }
}

/// The inputs that fuzzing begins with, and that a test replays: the folder of a target.
#[must_use]
pub fn corpus(target: Target) -> std::path::PathBuf {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("corpus").join(target.name())
}
