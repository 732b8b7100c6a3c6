use std::collections::BTreeMap;

use candid::types::value::{IDLField, VariantValue};
use candid::types::{Field, FuncMode, Function, Label, Type, TypeEnv, TypeInner};
use candid::{IDLArgs, IDLValue, Principal};
use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> Interface {
    Interface::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Runs on a stack of the size that a WebAssembly module has.
fn on_a_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap()
}

fn refusal(text: String) -> InterfaceError {
    on_a_small_stack(move || Interface::parse(&text).unwrap_err())
}

mod reading {
    use super::*;

    #[test]
    fn argument_names_modes_and_comments_are_kept() {
        let interface = parse(
            "type Arg = record { a : nat };
             service : (owner : principal) -> {
               // Sends it.
               // Really.
               send : (what : Arg, nat) -> (done : bool);
               ask : () -> (text) query; // behind, so about nothing
               both : () -> (text) composite_query;
               // far above

               tell : (text) -> () oneway;
             }",
        );
        let send = &interface.methods["send"];
        let names: Vec<_> = send.args.iter().map(|arg| arg.name.as_deref()).collect();
        assert_eq!(names, [Some("what"), None]);
        assert_eq!(send.results[0].name.as_deref(), Some("done"));
        assert_eq!(send.docs, ["Sends it.", "Really."]);
        let modes: Vec<_> = interface
            .methods
            .values()
            .map(|method| method.mode)
            .collect();
        assert_eq!(
            modes,
            [
                Mode::Query,
                Mode::CompositeQuery,
                Mode::Update,
                Mode::Oneway
            ]
        );
        assert!(interface.methods["both"].docs.is_empty());
        assert!(interface.methods["tell"].docs.is_empty());
        assert_eq!(interface.init.as_ref().map(Vec::len), Some(1));
    }

    #[test]
    fn the_whole_of_candid_is_read() {
        let interface = parse(
            r#"
            type List = opt record { head : int; tail : List };
            type Callback = func (List) -> (Self) query;
            type Self = service { again : Callback; "发送 it\n" : (vec opt opt nat8) -> () };
            type Tuple = record { nat; 5 : text; 0x10 : bool; principal; "quoted \u{1F600}" : null };
            service Name : (List, Tuple) -> {
              deep : (opt opt opt Tuple, blob) -> (record {}, variant { a; 7; "b c" : empty });
              call : Callback;
              give : (Self) -> (reserved, float32, float64)
            };
            "#,
        );
        let TypeInner::Record(fields) = interface.env.0["Tuple"].as_ref() else {
            panic!()
        };
        let mut numbers: Vec<_> = fields
            .iter()
            .filter(|field| !matches!(*field.id, Label::Named(_)))
            .map(|field| field.id.get_id())
            .collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 5, 16, 17]);
        assert_eq!(interface.methods["call"].mode, Mode::Query);
    }

    #[test]
    fn an_import_is_refused_with_the_way_out() {
        let error = Interface::parse("\n\nimport \"other.did\";\nservice : {}").unwrap_err();
        assert_eq!(error, InterfaceError::Imports { line: 3 });
        assert_eq!(error.code(), "E_INTERFACE_IMPORT");
        assert!(error.to_string().contains("one flat file"));
        assert_eq!(
            Interface::parse("import service \"a.did\"; service : {}")
                .unwrap_err()
                .code(),
            "E_INTERFACE_IMPORT"
        );
        // The word in a string or a comment imports nothing.
        parse("// import \"x\"\nservice : { \"import\" : () -> () }");
    }

    #[test]
    fn an_error_names_the_line_of_the_text_as_it_was_given() {
        let text = "/* one\ntwo */ type A = nat;\n// doc\nservice : {\n  m : (nat) -> nat\n}";
        let InterfaceError::Syntax { line, near } = Interface::parse(text).unwrap_err() else {
            panic!()
        };
        assert_eq!((line, near.as_str()), (5, "nat"));
        assert_eq!(
            Interface::parse("service : {").unwrap_err(),
            InterfaceError::Ends
        );
        let same = "service : {\n m : (record { to : nat; atkbkmg : nat }) -> () }";
        assert_eq!(
            Interface::parse(same).unwrap_err(),
            InterfaceError::SameLabel { line: 2 }
        );
    }

    #[test]
    fn unsound_interfaces_are_refused() {
        for (text, wanted) in [
            ("type A = nat;", "no `service`"),
            ("service : { m : (B) -> () }", "`B` is not defined"),
            ("type A = B; type B = A; service : {}", "nothing but itself"),
            ("type A = A; service : {}", "nothing but itself"),
            ("type A = nat; type A = text; service : {}", "defined twice"),
            ("type A = nat; service : A", "`A`, is no service"),
            ("type A = nat; service : { m : A }", "no function"),
            (
                "type S = service { m : A }; type A = nat; service : { m : (S) -> () }",
                "no function",
            ),
            (
                "service : { m : () -> () query oneway }",
                "more than one mode",
            ),
            (
                "service : { m : () -> (nat) oneway }",
                "oneway and has results",
            ),
            ("service : { m : () -> (); m : () -> () }", "are the same"),
            ("service : { \"\\ff\" : () -> () }", "escape"),
            ("service : { \"\\u{d800}\" : () -> () }", "escape"),
            ("service : { m : () -> () } /* /* */", "no end"),
            ("service : { \"m : () -> () }", "no end"),
            (
                "service : { m : (record { 4294967296 : nat }) -> () }",
                "cannot stand here",
            ),
            ("service : { m : () -> () } § ", "cannot stand here"),
        ] {
            let error = Interface::parse(text).unwrap_err();
            assert!(error.to_string().contains(wanted), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn candid_parser_accepts_the_same_texts(
            cut in 0_usize..90, with in 0_usize..90, drop: bool
        ) {
            // One token of a sound text is left out, or another stands in its place.
            let sound = "type A = B ; type B = record { a : nat ; opt A ; 7 : vec func ( A ) -> ( \
                B ) query } ; type S = service { m : F } ; type F = func ( ) -> ( ) oneway ; \
                service : ( x : A ) -> { f : F ; \"g\" : ( y : nat , S ) -> ( variant { a ; b : \
                text } ) }";
            let mut tokens: Vec<_> = sound.split_whitespace().collect();
            let (cut, with) = (cut % tokens.len(), with % tokens.len());
            if drop {
                tokens.remove(cut);
            } else {
                tokens[cut] = tokens[with];
            }
            let text = tokens.join(" ");
            prop_assert_eq!(Interface::parse(&text).is_ok(), candid_parser_takes(&text), "{}", text);
        }
    }

    proptest! {
        #[test]
        fn any_text_never_does_more_than_fail(
            text in prop_oneof![
                ".{0,60}",
                "([a-b{}();:=,.\"\\\\/* \n-]|opt |vec |record |type |service |0x|é){0,60}",
            ]
        ) {
            let ours = Interface::parse(&text).is_ok();
            prop_assert!(!ours || candid_parser_takes(&text), "{}", text);
        }

        #[test]
        fn a_quoted_name_is_what_candid_parser_reads(
            name in "([a-z]|\\\\[nrt\\\\\"']|\\\\[0-7][0-9a-f]|\\\\u\\{[0-9a-f_]{1,6}\\}|é){0,8}"
        ) {
            let text = format!("service : {{ \"{name}\" : () -> () }}");
            let theirs = text.parse::<candid_parser::IDLProg>().ok().and_then(|prog| {
                candid_parser::check_prog(&mut TypeEnv::new(), &prog).ok().flatten()
            });
            let ours = Interface::parse(&text).ok();
            let ours = ours.map(|interface| interface.methods.keys().cloned().collect::<Vec<_>>());
            let theirs = theirs.map(|service| match service.as_ref() {
                TypeInner::Service(methods) => {
                    methods.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
                }
                _ => unreachable!(),
            });
            prop_assert_eq!(ours, theirs, "{}", text);
        }
    }

    fn candid_parser_takes(text: &str) -> bool {
        let Ok(prog) = text.parse::<candid_parser::IDLProg>() else {
            return false;
        };
        matches!(
            candid_parser::check_prog(&mut TypeEnv::new(), &prog),
            Ok(Some(_))
        )
    }
}

mod bounds {
    use super::*;

    #[test]
    fn nesting_ends_in_an_error() {
        let types = [
            "opt ".repeat(50_000),
            "vec ".repeat(50_000),
            "record { a : ".repeat(10_000),
            "variant { a : ".repeat(10_000),
            "func (".repeat(10_000),
            "func () -> (".repeat(10_000),
            "service { m : (".repeat(10_000),
            "opt record { vec ".repeat(60),
        ];
        for ty in types {
            let text = format!("type A = {ty}nat;\nservice : {{}}");
            assert_eq!(refusal(text), InterfaceError::TooDeep { line: 1 });
        }
    }

    #[test]
    fn much_that_is_nested_deep_ends_in_an_error() {
        let text = format!(
            "type A = {}{}{}; service : {{}}",
            "record { ".repeat(99),
            "nat; ".repeat(60_000),
            "}".repeat(99)
        );
        assert_eq!(refusal(text), InterfaceError::TooDeep { line: 1 });
    }

    #[test]
    fn the_deepest_nesting_that_is_allowed_reads() {
        let text = format!("type A = {}nat; service : {{}}", "opt ".repeat(MAX_NESTING));
        on_a_small_stack(move || Interface::parse(&text).unwrap().fingerprint());
        let text = format!(
            "type A = {}{}; service : {{}}",
            "record { a : ".repeat(MAX_NESTING),
            " nat }"
                .repeat(MAX_NESTING)
                .replace(" nat }", "}")
                .replacen('}', "nat }", 1)
        );
        on_a_small_stack(move || Interface::parse(&text).unwrap().fingerprint());
    }

    #[test]
    fn size_is_bounded() {
        assert_eq!(refusal(" ".repeat(MAX_TEXT + 1)), InterfaceError::TooLarge);
        assert_eq!(
            refusal("; ".repeat(MAX_TOKENS + 1)),
            InterfaceError::TooManyTokens
        );
        let wide = format!(
            "type A = record {{ {} }}; service : {{}}",
            "nat;".repeat(MAX_NODES)
        );
        assert_eq!(refusal(wide), InterfaceError::TooManyTypes);
        let name = "a".repeat(MAX_NAME + 1);
        let refused = InterfaceError::NameTooLong { line: 1 };
        assert_eq!(refusal(format!("type {name} = nat")), refused);
        assert_eq!(
            refusal(format!("service : {{ \"{name}\" : () -> () }}")),
            refused
        );
    }

    #[test]
    fn a_megabyte_of_comments_in_a_row_reads() {
        for comments in [
            "//\n".repeat(340_000),
            "/**/".repeat(250_000),
            "/*".repeat(3),
        ] {
            let text = format!("{comments}{}\nservice : {{}}", "*/".repeat(3));
            // Closing marks without an opening one are an error; either way there is an end.
            on_a_small_stack(move || drop(Interface::parse(&text)));
        }
        let text = format!("{}service : {{}}", "// words\n".repeat(100_000));
        on_a_small_stack(move || Interface::parse(&text).unwrap().fingerprint());
    }

    #[test]
    fn one_line_of_many_tokens_is_read_once() {
        let methods = |count: usize| {
            let args = "nat,".repeat(9);
            let methods: String = (0..count).map(|i| format!("m{i}:({args})->();")).collect();
            format!("service:{{{methods}}}")
        };
        let text = methods(MAX_METHODS);
        let interface = on_a_small_stack(move || Interface::parse(&text).unwrap().methods.len());
        assert_eq!(interface, MAX_METHODS);
        assert_eq!(
            refusal(methods(MAX_METHODS + 1)),
            InterfaceError::TooManyMethods
        );
    }

    #[test]
    fn chains_of_definitions_are_bounded() {
        let chain = |body: &str, count: usize| {
            let types: String = (0..count)
                .map(|i| format!("type a{i} = {};", body.replace('#', &format!("a{}", i + 1))))
                .collect();
            format!("{types} type a{count} = nat; service : {{ m : (a0) -> () }}")
        };
        assert_eq!(refusal(chain("opt #", 4_000)), InterfaceError::ChainTooLong);
        assert_eq!(
            refusal(chain("record { #; nat }", 2_000)),
            InterfaceError::ChainTooLong
        );
        // Names that only stand for names are no chain of types.
        let text = chain("#", 9_000);
        on_a_small_stack(move || Interface::parse(&text).unwrap().fingerprint());
    }

    #[test]
    fn a_ring_counts_as_long_as_it_is() {
        let ring = |count: usize| {
            let types: String = (0..count)
                .map(|i| format!("type a{i} = opt a{};", (i + 1) % count))
                .collect();
            format!("{types} service : {{ m : (a0) -> () }}")
        };
        assert_eq!(refusal(ring(MAX_CHAIN + 1)), InterfaceError::ChainTooLong);
        let text = ring(MAX_CHAIN);
        on_a_small_stack(move || Interface::parse(&text).unwrap().fingerprint());
    }
}

mod fingerprint {
    use super::*;

    fn print(text: &str) -> ContentHash {
        parse(text).fingerprint()
    }

    #[test]
    fn names_order_comments_and_unfolding_are_not_in_it() {
        let plain = print(
            "type List = opt record { head : nat; tail : List };
             type Pair = record { nat; text };
             service : { a : (List) -> (Pair) query; b : (Pair) -> () }",
        );
        let same = "type P = record { 1 : text; 0 : nat };
             type L = opt record { tail : opt record { tail : L; head : nat }; head : nat };
             type M = L;
             // about a
             service : (nat) -> { \"b\" : (pair : P) -> (); a : (l : M) -> (p : P) query }";
        assert_eq!(print(same), plain);
    }

    #[test]
    fn every_change_of_meaning_changes_it() {
        let texts = [
            "service : { a : (record { to : nat }) -> () }",
            // The same hash, another name.
            "service : { a : (record { atkbkmg : nat }) -> () }",
            "service : { a : (record { 25979 : nat }) -> () }",
            "service : { a : (record { to : int }) -> () }",
            "service : { a : (record { to : opt nat }) -> () }",
            "service : { a : (record { to : nat; from : nat }) -> () }",
            "service : { a : (variant { to : nat }) -> () }",
            "service : { a : (record { to : nat }) -> () query }",
            "service : { a : (record { to : nat }) -> () composite_query }",
            "service : { a : (record { to : nat }) -> () oneway }",
            "service : { a : (record { to : nat }) -> (nat) }",
            "service : { a : (record { to : nat }, nat) -> () }",
            "service : { a : (vec record { to : nat }) -> () }",
            "service : { b : (record { to : nat }) -> () }",
            "service : { a : (record { to : nat }) -> (); b : () -> () }",
            "service : { a : (func (nat) -> ()) -> () }",
            "service : { a : (func () -> (nat)) -> () }",
            "service : { a : (func () -> (nat) query) -> () }",
            "service : { a : (service { m : () -> () }) -> () }",
            "service : { a : (service { n : () -> () }) -> () }",
            "service : {}",
        ];
        let prints: std::collections::HashSet<_> = texts.iter().map(|text| print(text)).collect();
        assert_eq!(prints.len(), texts.len());
    }

    #[test]
    fn it_is_the_same_in_every_version() {
        // A stored grant carries it: a change here takes every tool from every person.
        assert_eq!(
            print("service : { a : (record { to : nat; opt text }) -> (variant { Ok }) query }")
                .to_string(),
            GOLDEN
        );
    }

    const GOLDEN: &str = "0c85868776cc5beed7ff567127a495572d3086814731b69d41543bcac89c8ef9";

    proptest! {
        #[test]
        fn printing_and_reading_again_keeps_it(model in model()) {
            let first = parse(&model.text());
            let methods = first.methods.iter().map(|(name, method)| {
                let modes = match method.mode {
                    Mode::Query => vec![FuncMode::Query],
                    Mode::CompositeQuery => vec![FuncMode::CompositeQuery],
                    Mode::Update => vec![],
                    Mode::Oneway => vec![FuncMode::Oneway],
                };
                let (args, rets) = (method.arg_types(), method.result_types());
                (name.clone(), TypeInner::Func(Function { modes, args, rets }).into())
            });
            let again = Model { methods: methods.collect(), env: first.env.clone() };
            prop_assert_eq!(parse(&again.text()).fingerprint(), first.fingerprint());
        }

        #[test]
        fn renaming_definitions_keeps_it(model in model()) {
            let renamed = Model {
                env: TypeEnv(
                    model
                        .env
                        .0
                        .iter()
                        .map(|(name, ty)| (rename(name), map_names(ty, &rename)))
                        .collect(),
                ),
                methods: model
                    .methods
                    .iter()
                    .map(|(name, func)| (name.clone(), map_names(func, &rename)))
                    .collect(),
            };
            prop_assert_eq!(
                parse(&renamed.text()).fingerprint(),
                parse(&model.text()).fingerprint()
            );
        }

        #[test]
        fn writing_definitions_out_once_keeps_it(model in model()) {
            let unfolded = Model {
                env: TypeEnv(
                    model
                        .env
                        .0
                        .iter()
                        .map(|(name, ty)| (name.clone(), unfold(ty, &model.env)))
                        .collect(),
                ),
                methods: model
                    .methods
                    .iter()
                    .map(|(name, func)| (name.clone(), unfold(func, &model.env)))
                    .collect(),
            };
            prop_assert_eq!(
                parse(&unfolded.text()).fingerprint(),
                parse(&model.text()).fingerprint()
            );
        }

        #[test]
        fn it_tells_apart_what_candid_tells_apart(model in model(), other in model()) {
            // Candid's own equality of types is by hash of labels; ours is finer.
            let (one, two) = (parse(&model.text()), parse(&other.text()));
            let equal = one.methods.len() == two.methods.len()
                && one.methods.iter().all(|(name, method)| {
                    two.methods.get(name).is_some_and(|other| {
                        method.mode == other.mode
                            && same_types(&one, &method.arg_types(), &two, &other.arg_types())
                            && same_types(
                                &one, &method.result_types(), &two, &other.result_types())
                    })
                });
            if !equal {
                prop_assert_ne!(one.fingerprint(), two.fingerprint());
            }
        }
    }

    fn rename(name: &str) -> String {
        // Turns the order round as well.
        name.replace('d', "z")
            .chars()
            .map(|c| {
                c.to_digit(10)
                    .map_or(c, |d| char::from_digit(9 - d, 10).unwrap())
            })
            .collect()
    }

    fn same_types(one: &Interface, ones: &[Type], two: &Interface, twos: &[Type]) -> bool {
        let mut env = one.env.clone();
        let twos: Vec<_> = {
            let renamed = |name: &str| format!("two_{name}");
            for (name, ty) in &two.env.0 {
                env.0.insert(renamed(name), map_names(ty, &renamed));
            }
            twos.iter().map(|ty| map_names(ty, &renamed)).collect()
        };
        ones.len() == twos.len()
            && ones.iter().zip(&twos).all(|(one, two)| {
                candid::types::subtype::equal(&mut Default::default(), &env, one, two).is_ok()
            })
    }
}

mod codec {
    use super::*;

    fn tuple(types: &str) -> Tuple {
        parse(&format!("{types}; service : {{ m : (A) -> () }}"))
            .args("m")
            .unwrap()
    }

    fn record(fields: Vec<(&str, IDLValue)>) -> IDLValue {
        let mut fields: Vec<_> = fields
            .into_iter()
            .map(|(name, val)| IDLField {
                id: Label::Named(name.to_owned()),
                val,
            })
            .collect();
        fields.sort_by_key(|field| field.id.get_id());
        IDLValue::Record(fields)
    }

    proptest! {
        #[test]
        fn values_come_back_from_their_bytes((model, values) in model_and_values()) {
            let interface = parse(&model.text());
            for (name, values) in &values {
                let tuple = interface.args(name).unwrap();
                let bytes = tuple.encode(values);
                prop_assert!(bytes.is_ok(), "{}", model.text());
                let bytes = bytes.unwrap();
                let read = tuple.decode_exact(&bytes);
                prop_assert_eq!(
                    read.as_ref(), Ok(values), "{} {}", crate::ids::to_hex(&bytes), model.text());
                // The library reads the same without our tuple in between.
                let args = IDLArgs::from_bytes_with_types(
                    &bytes, &interface.env, &interface.methods[name].arg_types());
                prop_assert_eq!(&args.unwrap().args, values);
            }
        }

        #[test]
        fn broken_bytes_never_do_more_than_fail(
            (model, values) in model_and_values(),
            at: prop::sample::Index,
            byte: u8,
            cut: bool,
        ) {
            let interface = parse(&model.text());
            for (name, values) in &values {
                let tuple = interface.args(name).unwrap();
                let mut bytes = tuple.encode(values).unwrap();
                let at = at.index(bytes.len());
                if cut {
                    bytes.truncate(at);
                } else {
                    bytes[at] = byte;
                }
                if let Ok(values) = tuple.decode(&bytes) {
                    let again = tuple.encode(&values).unwrap();
                    prop_assert_eq!(tuple.decode(&again).unwrap(), values);
                }
            }
        }

        #[test]
        fn any_bytes_never_do_more_than_fail(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let tuple = tuple("type A = opt record { a : vec A; b : variant { x : text; y } }");
            let _ = tuple.decode(&bytes);
            let _ = tuple.decode(&[b"DIDL", bytes.as_slice()].concat());
        }
    }

    #[test]
    fn a_record_is_encoded_only_when_it_is_whole() {
        let tuple = tuple("type A = record { to : nat; memo : opt blob }");
        let whole = record(vec![
            ("to", IDLValue::Nat(1_u8.into())),
            ("memo", IDLValue::None),
        ]);
        assert!(tuple.encode(core::slice::from_ref(&whole)).is_ok());
        for broken in [
            record(vec![("to", IDLValue::Nat(1_u8.into()))]),
            record(vec![("to", IDLValue::Nat8(1)), ("memo", IDLValue::None)]),
            record(vec![
                ("to", IDLValue::Number("1".into())),
                ("memo", IDLValue::None),
            ]),
            record(vec![
                ("to", IDLValue::Nat(1_u8.into())),
                ("memo", IDLValue::Null),
            ]),
            record(vec![
                ("to", IDLValue::Nat(1_u8.into())),
                ("memo", IDLValue::None),
                ("fee", IDLValue::None),
            ]),
            record(vec![
                ("to", IDLValue::Nat(1_u8.into())),
                ("to", IDLValue::Nat(1_u8.into())),
            ]),
        ] {
            assert_eq!(tuple.encode(&[broken]), Err(CodecError::Value));
        }
        assert_eq!(tuple.encode(&[]), Err(CodecError::Value));
        assert_eq!(
            tuple.encode(&[whole.clone(), whole]),
            Err(CodecError::Value)
        );
    }

    #[test]
    fn bytes_that_say_more_are_not_exact() {
        let wide = tuple("type A = record { a : nat; extra : nat }");
        let narrow = tuple("type A = record { a : nat }");
        let one = || IDLValue::Nat(1_u8.into());
        let bytes = wide
            .encode(&[record(vec![("a", one()), ("extra", one())])])
            .unwrap();
        assert!(narrow.decode(&bytes).is_ok());
        assert_eq!(narrow.decode_exact(&bytes), Err(CodecError::NotExact));
        // A number written longer than it need be.
        let nat = tuple("type A = nat");
        assert_eq!(
            nat.decode_exact(b"DIDL\x00\x01\x7d\x81\x00"),
            Err(CodecError::NotExact)
        );
        assert!(nat.decode_exact(b"DIDL\x00\x01\x7d\x01").is_ok());
        // A second argument.
        let two = b"DIDL\x00\x02\x7d\x7d\x01\x01";
        assert!(nat.decode(two).is_ok());
        assert_eq!(nat.decode_exact(two), Err(CodecError::NotExact));
    }

    #[test]
    fn a_definition_may_have_a_name_that_the_decoder_uses() {
        let tuple = tuple("type table0 = record { x : opt table0 }; type A = opt table0");
        let value = IDLValue::Opt(Box::new(record(vec![("x", IDLValue::None)])));
        let bytes = tuple.encode(core::slice::from_ref(&value)).unwrap();
        assert_eq!(tuple.decode_exact(&bytes), Ok(vec![value]));
    }

    #[test]
    fn a_case_whose_name_holds_commas_decodes() {
        let tuple = tuple("type A = variant { \"a,name,unit\" : nat; \",\" }");
        for (name, val) in [
            ("a,name,unit", IDLValue::Nat(7_u8.into())),
            (",", IDLValue::Null),
        ] {
            let field = IDLField {
                id: Label::Named(name.to_owned()),
                val,
            };
            let value = IDLValue::Variant(VariantValue(Box::new(field), 0));
            let bytes = tuple.encode(core::slice::from_ref(&value)).unwrap();
            assert_eq!(tuple.decode_exact(&bytes), Ok(vec![value]));
        }
    }

    #[test]
    fn a_field_named_by_a_line_decodes() {
        let tuple = tuple("type A = record { _ : nat; to : opt record { _ : text } }");
        let inner = record(vec![("_", IDLValue::Text("x".to_owned()))]);
        let value = record(vec![
            ("_", IDLValue::Nat(7_u8.into())),
            ("to", IDLValue::Opt(Box::new(inner))),
        ]);
        let bytes = tuple.encode(core::slice::from_ref(&value)).unwrap();
        assert_eq!(tuple.decode_exact(&bytes), Ok(vec![value]));
    }

    fn refused(types: &'static str, bytes: Vec<u8>) -> CodecError {
        on_a_small_stack(move || tuple(types).decode(&bytes).unwrap_err())
    }

    #[test]
    fn deep_values_end_in_an_error() {
        // `type t = opt t`, and a megabyte of `some`.
        let opt = [
            b"DIDL\x01\x6e\x00\x01\x00".as_slice(),
            &[1; 1 << 20],
            b"\x00",
        ]
        .concat();
        assert_eq!(refused("type A = opt A", opt.clone()), CodecError::TooDeep);
        // The same where it is skipped, as an argument too many or a field that is not wanted.
        let more = [
            b"DIDL\x01\x6e\x00\x02\x7d\x00\x05".as_slice(),
            &[1; 1 << 20],
            b"\x00",
        ]
        .concat();
        assert_eq!(refused("type A = nat", more), CodecError::TooDeep);
        assert_eq!(refused("type A = reserved", opt), CodecError::TooDeep);
        // `type t = record { t }` has no value, however long one reads.
        let record = b"DIDL\x01\x6c\x01\x00\x00\x01\x00".to_vec();
        assert_eq!(refused("type A = reserved", record), CodecError::TooDeep);
        let vec = [b"DIDL\x01\x6d\x00\x01\x00".as_slice(), &[1; 1 << 20]].concat();
        assert_eq!(refused("type A = vec A", vec), CodecError::TooDeep);
    }

    #[test]
    fn values_that_take_no_bytes_are_counted() {
        // `vec null` and `vec record {}` with 2³² elements.
        let null = b"DIDL\x01\x6d\x7f\x01\x00\x80\x80\x80\x80\x10".to_vec();
        assert_eq!(refused("type A = vec null", null), CodecError::TooLarge);
        let record = b"DIDL\x02\x6d\x01\x6c\x00\x01\x00\x80\x80\x80\x80\x10".to_vec();
        assert_eq!(
            refused("type A = vec record {}", record.clone()),
            CodecError::TooLarge
        );
        assert_eq!(refused("type A = reserved", record), CodecError::TooLarge);
        // A few elements are filled up with thousands of fields that the message lacks.
        let fields: String = (0..3_000).map(|i| format!("f{i} : opt nat;")).collect();
        let types: &'static str = format!("type A = vec record {{ {fields} }}").leak();
        let few = b"DIDL\x02\x6d\x01\x6c\x00\x01\x00\xd0\x86\x03".to_vec();
        assert_eq!(refused(types, few), CodecError::Malformed);
    }

    #[test]
    fn type_tables_are_bounded() {
        // A chain of `opt`: the first type holds the second, and so on.
        let mut chain = b"DIDL".to_vec();
        leb(&mut chain, 10_000);
        for next in 1..10_000 {
            chain.push(0x6e);
            sleb(&mut chain, next);
        }
        chain.extend(b"\x6e\x7d\x01\x00\x00");
        assert_eq!(refused("type A = opt A", chain), CodecError::TooDeep);
        // Two rings of lengths without a common factor hold each other's turns for their product.
        let mut ring = b"DIDL".to_vec();
        leb(&mut ring, 397);
        for next in 1..=397 {
            ring.push(0x6d);
            sleb(&mut ring, next % 397);
        }
        ring.extend(b"\x01\x00\x00");
        let types: String = (0..31)
            .map(|i| format!("type a{i} = vec a{};", (i + 1) % 31))
            .collect();
        let types: &'static str = format!("{types} type A = a0").leak();
        assert_eq!(refused(types, ring), CodecError::TooDeep);
    }

    #[test]
    fn replies_of_the_usual_size_decode() {
        let tuple = tuple("type A = vec record { id : nat64; memo : text; on : bool; to : opt A }");
        let one = |id| {
            record(vec![
                ("id", IDLValue::Nat64(id)),
                ("memo", IDLValue::Text(format!("memo of {id}"))),
                ("on", IDLValue::Bool(true)),
                ("to", IDLValue::None),
            ])
        };
        let value = IDLValue::Vec((0..50_000).map(one).collect());
        let bytes = tuple.encode(core::slice::from_ref(&value)).unwrap();
        assert!(bytes.len() > 1_000_000);
        assert_eq!(
            tuple.decode(&bytes).map(|values| values == [value]),
            Ok(true)
        );
    }

    /// A positive number as a signed one is written.
    fn sleb(out: &mut Vec<u8>, mut number: usize) {
        while number >= 0x40 {
            out.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
            number >>= 7;
        }
        out.push(u8::try_from(number).unwrap());
    }

    fn leb(out: &mut Vec<u8>, mut number: usize) {
        while number >= 0x80 {
            out.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
            number >>= 7;
        }
        out.push(u8::try_from(number).unwrap());
    }
}

/// An interface as data, from which its text is written by the library's printer.
#[derive(Clone, Debug)]
struct Model {
    env: TypeEnv,
    methods: BTreeMap<String, Type>,
}

impl Model {
    fn text(&self) -> String {
        let methods = self
            .methods
            .iter()
            .map(|(name, func)| (name.clone(), func.clone()));
        let service: Type = TypeInner::Service(methods.collect()).into();
        candid::pretty::candid::compile(&self.env, &Some(service))
    }
}

const DEFINITIONS: usize = 5;

fn model() -> impl Strategy<Value = Model> {
    let definitions = prop::collection::vec(body(), DEFINITIONS);
    let methods = prop::collection::btree_map("[a-c]|a b|发", func(ty()), 1..4);
    (definitions, methods).prop_map(|(definitions, methods)| Model {
        env: TypeEnv(
            definitions
                .into_iter()
                .enumerate()
                .map(|(i, ty)| (format!("d{i}"), ty))
                .collect(),
        ),
        methods,
    })
}

fn primitive() -> impl Strategy<Value = TypeInner> {
    prop::sample::select(vec![
        TypeInner::Null,
        TypeInner::Bool,
        TypeInner::Nat,
        TypeInner::Int,
        TypeInner::Nat8,
        TypeInner::Nat16,
        TypeInner::Nat32,
        TypeInner::Nat64,
        TypeInner::Int8,
        TypeInner::Int16,
        TypeInner::Int32,
        TypeInner::Int64,
        TypeInner::Float32,
        TypeInner::Float64,
        TypeInner::Text,
        TypeInner::Reserved,
        TypeInner::Empty,
        TypeInner::Principal,
    ])
}

fn ty() -> BoxedStrategy<Type> {
    prop_oneof![
        2 => primitive().prop_map(Type::from),
        2 => (0..DEFINITIONS).prop_map(|i| TypeInner::Var(format!("d{i}")).into()),
        3 => body(),
    ]
    .boxed()
}

/// A type that is no name.
fn body() -> BoxedStrategy<Type> {
    let leaf = prop_oneof![
        primitive().prop_map(Type::from),
        (0..DEFINITIONS).prop_map(|i| TypeInner::Var(format!("d{i}")).into()),
    ];
    let inner = leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|ty| TypeInner::Opt(ty).into()),
            inner.clone().prop_map(|ty| TypeInner::Vec(ty).into()),
            fields(inner.clone()).prop_map(|fields| TypeInner::Record(fields).into()),
            fields(inner.clone()).prop_map(|fields| TypeInner::Variant(fields).into()),
            func(inner.clone()),
            prop::collection::btree_map("[a-c]", func(inner), 0..3)
                .prop_map(|methods| TypeInner::Service(methods.into_iter().collect()).into()),
        ]
    });
    prop_oneof![
        inner.clone().prop_map(|ty| TypeInner::Opt(ty).into()),
        fields(inner.clone()).prop_map(|fields| TypeInner::Record(fields).into()),
        fields(inner).prop_map(|fields| TypeInner::Variant(fields).into()),
        primitive().prop_map(Type::from),
    ]
    .boxed()
}

fn fields(ty: impl Strategy<Value = Type>) -> impl Strategy<Value = Vec<Field>> {
    let label = prop_oneof![
        prop::sample::select(vec!["to", "Ok", "a b", "金", "vec", "q\"\\\n"])
            .prop_map(|name| Label::Named(name.to_owned())),
        (0_u32..4).prop_map(Label::Id),
    ];
    prop::collection::btree_map(label, ty, 0..5).prop_map(|fields| {
        fields
            .into_iter()
            .map(|(id, ty)| Field { id: id.into(), ty })
            .collect()
    })
}

fn func(ty: impl Strategy<Value = Type> + Clone) -> impl Strategy<Value = Type> {
    let args = prop::collection::vec(ty.clone(), 0..3);
    let rets = prop::collection::vec(ty, 0..3);
    let mode = prop::sample::select(vec![
        None,
        Some(FuncMode::Query),
        Some(FuncMode::CompositeQuery),
        Some(FuncMode::Oneway),
    ]);
    (args, rets, mode).prop_map(|(args, mut rets, mode)| {
        if mode == Some(FuncMode::Oneway) {
            rets.clear();
        }
        TypeInner::Func(Function {
            modes: mode.into_iter().collect(),
            args,
            rets,
        })
        .into()
    })
}

fn map_names(ty: &Type, rename: &impl Fn(&str) -> String) -> Type {
    map_types(ty, &|name| TypeInner::Var(rename(name)).into())
}

fn unfold(ty: &Type, env: &TypeEnv) -> Type {
    map_types(ty, &|name| env.0[name].clone())
}

/// Copies a type, with another in place of each name.
fn map_types(ty: &Type, named: &impl Fn(&str) -> Type) -> Type {
    let fields = |fields: &[Field]| {
        fields
            .iter()
            .map(|field| Field {
                id: field.id.clone(),
                ty: map_types(&field.ty, named),
            })
            .collect()
    };
    match ty.as_ref() {
        TypeInner::Var(name) => return named(name),
        TypeInner::Opt(inner) => TypeInner::Opt(map_types(inner, named)),
        TypeInner::Vec(inner) => TypeInner::Vec(map_types(inner, named)),
        TypeInner::Record(inner) => TypeInner::Record(fields(inner)),
        TypeInner::Variant(inner) => TypeInner::Variant(fields(inner)),
        TypeInner::Func(func) => TypeInner::Func(Function {
            modes: func.modes.clone(),
            args: func.args.iter().map(|ty| map_types(ty, named)).collect(),
            rets: func.rets.iter().map(|ty| map_types(ty, named)).collect(),
        }),
        TypeInner::Service(methods) => TypeInner::Service(
            methods
                .iter()
                .map(|(name, ty)| (name.clone(), map_types(ty, named)))
                .collect(),
        ),
        primitive => primitive.clone(),
    }
    .into()
}

/// An interface with values for the arguments of those methods that have some.
///
/// Every definition has values. The decoder takes a recursive record without values for `empty`
/// where a message has it and not where it is expected, so that a reference to a function of such
/// types does not decode as its own type.
fn model_and_values() -> impl Strategy<Value = (Model, BTreeMap<String, Vec<IDLValue>>)> {
    let inhabited = |model: &Model| {
        model
            .env
            .0
            .values()
            .all(|ty| value(ty, &model.env, DEFINITIONS).is_some())
    };
    model()
        .prop_filter("every definition has values", inhabited)
        .prop_flat_map(|model| {
            let values: Vec<_> = model
                .methods
                .iter()
                .filter_map(|(name, func)| {
                    let TypeInner::Func(func) = func.as_ref() else {
                        unreachable!()
                    };
                    let args: Option<Vec<_>> = func
                        .args
                        .iter()
                        .map(|ty| value(ty, &model.env, 4))
                        .collect();
                    Some((Just(name.clone()), args?))
                })
                .collect();
            (Just(model), values).prop_map(|(model, values)| (model, values.into_iter().collect()))
        })
}

/// Values of a type, as far as some are found within `depth` definitions.
fn value(ty: &Type, env: &TypeEnv, depth: usize) -> Option<BoxedStrategy<IDLValue>> {
    let some = |strategy: BoxedStrategy<IDLValue>| Some(strategy);
    match ty.as_ref() {
        TypeInner::Var(name) => value(&env.0[name], env, depth.checked_sub(1)?),
        TypeInner::Null => some(Just(IDLValue::Null).boxed()),
        TypeInner::Bool => some(any::<bool>().prop_map(IDLValue::Bool).boxed()),
        TypeInner::Nat => some(any::<u128>().prop_map(|n| IDLValue::Nat(n.into())).boxed()),
        TypeInner::Int => some(any::<i128>().prop_map(|n| IDLValue::Int(n.into())).boxed()),
        TypeInner::Nat8 => some(any::<u8>().prop_map(IDLValue::Nat8).boxed()),
        TypeInner::Nat16 => some(any::<u16>().prop_map(IDLValue::Nat16).boxed()),
        TypeInner::Nat32 => some(any::<u32>().prop_map(IDLValue::Nat32).boxed()),
        TypeInner::Nat64 => some(any::<u64>().prop_map(IDLValue::Nat64).boxed()),
        TypeInner::Int8 => some(any::<i8>().prop_map(IDLValue::Int8).boxed()),
        TypeInner::Int16 => some(any::<i16>().prop_map(IDLValue::Int16).boxed()),
        TypeInner::Int32 => some(any::<i32>().prop_map(IDLValue::Int32).boxed()),
        TypeInner::Int64 => some(any::<i64>().prop_map(IDLValue::Int64).boxed()),
        TypeInner::Float32 => some(any::<f32>().prop_map(IDLValue::Float32).boxed()),
        TypeInner::Float64 => some(any::<f64>().prop_map(IDLValue::Float64).boxed()),
        TypeInner::Text => some(".{0,5}".prop_map(IDLValue::Text).boxed()),
        TypeInner::Reserved => some(Just(IDLValue::Reserved).boxed()),
        TypeInner::Empty => None,
        TypeInner::Principal => some(principal().prop_map(IDLValue::Principal).boxed()),
        TypeInner::Opt(inner) => {
            let none = Just(IDLValue::None);
            Some(match value(inner, env, depth) {
                None => none.boxed(),
                Some(inner) => {
                    let some = inner.prop_map(|value| IDLValue::Opt(Box::new(value)));
                    prop_oneof![none, some].boxed()
                }
            })
        }
        TypeInner::Vec(inner) if is_byte(inner, env) => some(
            prop::collection::vec(any::<u8>(), 0..5)
                .prop_map(IDLValue::Blob)
                .boxed(),
        ),
        TypeInner::Vec(inner) => Some(match value(inner, env, depth) {
            None => Just(IDLValue::Vec(Vec::new())).boxed(),
            Some(inner) => prop::collection::vec(inner, 0..4)
                .prop_map(IDLValue::Vec)
                .boxed(),
        }),
        TypeInner::Record(fields) => {
            let values: Option<Vec<_>> = fields
                .iter()
                .map(|field| value(&field.ty, env, depth))
                .collect();
            let labels: Vec<_> = fields
                .iter()
                .map(|field| field.id.as_ref().clone())
                .collect();
            let record = values?.prop_map(move |values| {
                let fields = labels.iter().cloned().zip(values);
                IDLValue::Record(fields.map(|(id, val)| IDLField { id, val }).collect())
            });
            Some(record.boxed())
        }
        TypeInner::Variant(cases) => {
            let cases: Vec<_> = cases
                .iter()
                .filter_map(|case| {
                    let id = case.id.as_ref().clone();
                    let value = value(&case.ty, env, depth)?;
                    let variant = value.prop_map(move |val| {
                        let field = IDLField {
                            id: id.clone(),
                            val,
                        };
                        IDLValue::Variant(VariantValue(Box::new(field), 0))
                    });
                    Some(variant.boxed())
                })
                .collect();
            (!cases.is_empty()).then(|| prop::strategy::Union::new(cases).boxed())
        }
        TypeInner::Func(_) => some(
            (principal(), "[a-z]{1,3}")
                .prop_map(|(id, m)| IDLValue::Func(id, m))
                .boxed(),
        ),
        TypeInner::Service(_) => some(principal().prop_map(IDLValue::Service).boxed()),
        _ => unreachable!(),
    }
}

fn is_byte(ty: &Type, env: &TypeEnv) -> bool {
    match ty.as_ref() {
        TypeInner::Var(name) => is_byte(&env.0[name], env),
        TypeInner::Nat8 => true,
        _ => false,
    }
}

fn principal() -> impl Strategy<Value = Principal> {
    prop::collection::vec(any::<u8>(), 0..29).prop_map(|bytes| Principal::from_slice(&bytes))
}
