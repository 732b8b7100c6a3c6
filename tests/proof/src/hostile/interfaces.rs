//! Interfaces: texts that nest, repeat, expand and name.

use super::{HIDDEN, Hostile, LEDGER, MEBIBYTE, Verdict, canister, plain_all_over};
use countersign_core::{
    interface::{Interface, differences},
    profile::{packs, resolve},
    tools::{Catalog, Dialect, NameBook, build_plans, lint},
};
use serde_json::json;
use std::rc::Rc;

/// A text, and whether it may be taken where its tools do no harm.
fn text(name: &str, may_be_taken: bool, text: impl Fn() -> String + 'static) -> Hostile {
    Hostile::new(format!("interface: {name}"), move || {
        let text = text();
        Box::new(move || tools(&text, may_be_taken))
    })
}

/// What becomes of a text, through to the definitions that a model reads.
fn tools(text: &str, may_be_taken: bool) -> Verdict {
    let interface = match Interface::parse(text) {
        Ok(interface) => interface,
        Err(error) => {
            let words = error.to_string();
            return match plain_all_over([json!(words)]) {
                Ok(()) => Verdict::Refused(error.code().to_owned()),
                Err(harm) => harm,
            };
        }
    };
    let resolved = Rc::new(resolve(&interface, &packs::all(), &[]));
    let plans = build_plans(&resolved);
    let found = lint(&resolved, &plans);
    let catalog = Catalog::new(&[(canister(), &plans)], &mut NameBook::default());
    let mut told: Vec<_> = (Dialect::ALL.iter())
        .flat_map(|dialect| catalog.definitions(*dialect))
        .collect();
    told.extend(
        plans
            .skipped
            .iter()
            .map(|s| json!([s.told(), s.reason.to_string()])),
    );
    told.extend(found.iter().map(|f| json!([f.message, f.advice])));
    match plain_all_over(told) {
        Ok(()) if may_be_taken => Verdict::Harmless("its methods are tools or skipped"),
        Ok(()) => Verdict::Harm("it was taken".to_owned()),
        Err(harm) => harm,
    }
}

/// Fills a mebibyte.
fn full(unit: &str) -> String {
    unit.repeat(MEBIBYTE / unit.len())
}

/// Definitions `a0`, `a1`, … of this body, in which `#` is the next.
fn chain(body: &str, count: usize, end: &str) -> String {
    let types: String = (0..count)
        .map(|i| {
            let body = body.replace('#', &format!("a{}", i + 1));
            format!("type a{i} = {body};\n")
        })
        .collect();
    format!("{types}type a{count} = {end};\nservice : {{ m : (a0) -> (a0) query }}")
}

pub(super) fn all() -> Vec<Hostile> {
    let mut all = Vec::new();
    for unit in [
        "opt ",
        "vec ",
        "record { a : ",
        "record { ",
        "variant { a : ",
        "func (",
        "func () -> (",
        "service { m : (",
        "opt record { vec ",
        "(",
        "{",
    ] {
        all.push(text(
            &format!("1 MiB of `{}`", unit.trim()),
            false,
            move || {
                let before = "type A = ";
                let nested = unit.repeat((MEBIBYTE - before.len()) / unit.len());
                format!("{before}{nested}")
            },
        ));
    }
    all.push(text("1 MiB, nested 99 deep and wide there", false, || {
        let open = "record { ".repeat(99);
        let wide = "nat; ".repeat((MEBIBYTE - 2_000) / 5);
        format!("type A = {open}{wide}{}; service : {{}}", "}".repeat(99))
    }));
    all.push(text("1 MiB of types nested 99 deep", false, || {
        let one = format!("{}nat; ", "opt ".repeat(99));
        let fields = one.repeat((MEBIBYTE - 100) / one.len());
        format!("type A = record {{ {fields} }}; service : {{ m : (A) -> () }}")
    }));
    all.push(text("1 MiB of nested comments", false, || full("/*")));
    all.push(text("1 MiB of comments", false, || full("/**///\n")));
    all.push(text("1 MiB of one name", false, || {
        format!("type {} = nat;", "a".repeat(MEBIBYTE - 20))
    }));
    all.push(text("1 MiB of one quoted name", false, || {
        format!("service : {{ \"{}", "a".repeat(MEBIBYTE - 20))
    }));
    all.push(text("1 MiB of escapes", false, || {
        format!("service : {{ \"{}", "\\u{1f600}".repeat(100_000))
    }));
    all.push(text("1 MiB of tokens", false, || full(";")));
    all.push(text("more than 1 MiB", false, || " ".repeat(MEBIBYTE + 1)));
    all.push(text("a label of a million digits", false, || {
        let digits = "9".repeat(1_000_000);
        format!("service : {{ m : (record {{ {digits} : nat }}) -> () }}")
    }));
    all.push(text("an import", false, || {
        format!("import \"{}\"; service : {{}}", "a".repeat(100))
    }));
    all.push(text("bytes that are no UTF-8, escaped", false, || {
        "service : { \"\\ff\\fe\" : () -> () }".to_owned()
    }));
    for (name, body) in [
        (
            "an alias of itself",
            "type A = A; service : { m : (A) -> () }",
        ),
        (
            "aliases of each other",
            "type A = B; type B = C; type C = A; service : { m : (A) -> () }",
        ),
        ("a service of itself", "type A = A; service : A"),
        (
            "an alias of itself below names",
            "type A = record { A; B }; type B = B; service : { m : (A) -> () }",
        ),
    ] {
        all.push(text(name, false, || body.to_owned()));
    }
    all.push(text("a chain of 4,000 options", false, || {
        chain("opt #", 4_000, "nat")
    }));
    all.push(text("a ring of 401 options", false, || {
        let types: String = (0..401)
            .map(|i| format!("type a{i} = opt a{};", (i + 1) % 401))
            .collect();
        format!("{types} service : {{ m : (a0) -> () }}")
    }));
    // These are sound, and small; written out they would be larger than any memory.
    for (name, body) in [
        ("records that double 200 times", "record { a : #; b : # }"),
        ("variants that double 200 times", "variant { a : #; b : # }"),
        ("lists that double 200 times", "record { vec #; vec # }"),
        ("functions that double 200 times", "func (#) -> (#)"),
        (
            "options that double 200 times",
            "record { opt #; opt #; opt # }",
        ),
    ] {
        all.push(text(name, true, move || chain(body, 200, "text")));
    }
    all.push(text("9,000 methods", false, || {
        let methods: String = (0..9_000)
            .map(|i| format!("m{i}:()->(nat)query;"))
            .collect();
        format!("service:{{{methods}}}")
    }));
    all.push(text("1,000 methods", true, || {
        let methods: String = (0..1_000)
            .map(|i| format!("m{i}:()->(nat)query;"))
            .collect();
        format!("service:{{{methods}}}")
    }));
    all.push(text("1,000 methods of a type that doubles", true, || {
        let types = chain("record { a : #; b : # }", 30, "text");
        let methods: String = (0..1_000)
            .map(|i| format!("m{i} : (a0) -> (a0) query; "))
            .collect();
        types.replace("m : (a0) -> (a0) query", &methods)
    }));
    all.push(text("100 types that each hold all 100", true, || {
        let types: String = (0..99)
            .map(|i| {
                let fields: String = (0..99).map(|j| format!("f{j} : opt a{j}; ")).collect();
                format!("type a{i} = record {{ {fields} }};\n")
            })
            .collect();
        format!("{types}service : {{ m : (a0) -> (a0) query }}")
    }));
    all.push(text("names of 512 characters, 40 deep", true, || {
        let name = "n".repeat(511);
        chain(
            &format!("record {{ {name}1 : #; {name}2 : # }}"),
            40,
            "text",
        )
    }));
    all.push(text("2,000 names that are told alike", true, || {
        let fields: String = (0..2_000)
            .map(|i| format!("\"a\u{200b}{i}\" : text; "))
            .collect();
        format!("service : {{ m : (record {{ {fields} }}) -> () query }}")
    }));
    for kind in ["record", "variant"] {
        all.push(text(
            &format!("a {kind} of 9,000 members"),
            true,
            move || {
                let members: String = (0..9_000).map(|i| format!("member_{i} : text; ")).collect();
                format!("service : {{ m : ({kind} {{ {members} }}) -> () query }}")
            },
        ));
    }
    for (name, body) in [
        ("a method", "service : { \"#\" : (text) -> () query }"),
        (
            "a field",
            "service : { m : (record { \"#\" : text }) -> (record { \"#\" : nat }) query }",
        ),
        (
            "a case",
            "service : { m : (variant { \"#\" : text; b }) -> () query }",
        ),
        (
            "an argument's name",
            "service : { m : (\"#\" : text) -> (\"#\" : nat) query }",
        ),
        (
            "a comment",
            "// #\nservice : {\n // #\n m : (text) -> () query }",
        ),
        (
            "a position without a rule",
            "service : { m : (record { \"#\" : record { \"#\" : blob } }) -> () query }",
        ),
    ] {
        all.push(text(
            &format!("hidden characters in {name}"),
            true,
            move || body.replace('#', &format!("pay{HIDDEN}me")),
        ));
    }
    all.push(text("hidden characters between tokens", false, || {
        format!("service : {{ m {HIDDEN} : () -> () }}")
    }));
    all.push(Hostile::new(
        "interface: two that differ in types that double",
        || {
            let one = chain("record { a : #; b : # }", 200, "text");
            let two = chain("record { a : #; b : # }", 200, "nat");
            Box::new(move || compared(&one, &two))
        },
    ));
    all.push(Hostile::new(
        "interface: two that differ in everything",
        || {
            let of = |letter: char| -> String {
                let methods: String = (0..1_000)
                    .map(|i| format!("\"{letter}{HIDDEN}{i}\" : (nat) -> (text); "))
                    .collect();
                format!("service : {{ {methods} }}")
            };
            let (one, two) = (of('a'), of('b'));
            Box::new(move || compared(&one, &two))
        },
    ));
    all.push(Hostile::new(
        "interface: a ledger with payee and refund swapped",
        || {
            let pasted = LEDGER.replace("to :", "atkbkmg :");
            Box::new(move || compared(&pasted, LEDGER))
        },
    ));
    all
}

/// The differences of two interfaces are told, in plain words.
fn compared(pasted: &str, certified: &str) -> Verdict {
    let (Ok(pasted), Ok(certified)) = (Interface::parse(pasted), Interface::parse(certified))
    else {
        return Verdict::Harm("a sound interface was refused".to_owned());
    };
    let found = differences(&pasted, &certified);
    if found.is_empty() {
        return Verdict::Harm("no difference was found".to_owned());
    }
    let told = found.iter().map(|found| json!(found.to_string()));
    match plain_all_over(told) {
        Ok(()) => Verdict::Refused("E_INTERFACE_DIFFERS".to_owned()),
        Err(harm) => harm,
    }
}
