use super::*;
use crate::json::Json;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const WIRE: &str = include_str!("../../tests/golden/mcp_wire.txt");

fn fields(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Two tools, enough to answer the golden file's requests.
fn answer(incoming: Incoming, listeners: &mut Listeners) -> Vec<String> {
    let one = |reply: Reply| vec![format!("<- {}", reply.as_str())];
    match incoming {
        Incoming::Answered(reply) => one(reply),
        Incoming::Initialized => vec!["= initialized".to_owned()],
        Incoming::Tools(ToolsRequest { id, era, .. }) => {
            let look = json!({
                "name": "look",
                "inputSchema": { "type": "object" },
                "outputSchema": { "type": "object" },
            });
            let connected = false;
            one(Reply::tools(
                &id,
                era,
                ListReply {
                    tools: vec![look],
                    connected,
                },
            ))
        }
        Incoming::Call(call) => match call.name.as_str() {
            "look" | "fails" => {
                let is_error = call.name == "fails";
                let sentence = "Seen.".to_owned();
                let structured = fields(json!({ "outcome": "success", "next": null }));
                let reply = ToolReply {
                    sentence,
                    structured,
                    is_error,
                };
                one(Reply::tool(&call.id, call.era, reply))
            }
            _ => one(Reply::unknown_tool(&call.id)),
        },
        Incoming::Listen(listen) => one(listeners.listen("countersign", &listen).message),
        Incoming::Cancelled(id) => vec![format!("= cancelled {}", json!(id))],
        Incoming::Ignored => vec!["= ignored".to_owned()],
    }
}

#[test]
fn the_wire_is_as_the_golden_file_has_it() {
    let mut listeners = Listeners::default();
    let mut seen = String::new();
    for line in WIRE.lines() {
        if line.starts_with("<-") || line.starts_with('=') {
            continue;
        }
        seen.push_str(line);
        seen.push('\n');
        if let Some(message) = line.strip_prefix("-> ") {
            for answer in answer(read(message), &mut listeners) {
                seen.push_str(&answer);
                seen.push('\n');
            }
        }
    }
    assert!(
        seen == WIRE,
        "the wire differs from the golden file; it is now:\n{seen}"
    );
}

#[test]
fn every_answer_has_only_the_keys_that_strict_clients_allow() {
    let answers: Vec<_> = WIRE
        .lines()
        .filter_map(|line| line.strip_prefix("<- "))
        .collect();
    assert!(answers.len() > 40);
    for answer in answers {
        let keys: Vec<_> = serde_json::from_str::<Map<String, Value>>(answer)
            .unwrap()
            .into_iter()
            .filter(|(key, value)| key != "jsonrpc" && (key != "id" || value.is_null()))
            .map(|(key, _)| key)
            .collect();
        let known = [
            vec!["result"],
            vec!["error"],
            vec!["method"],
            vec!["method", "params"],
        ];
        assert!(known.iter().any(|known| *known == keys), "{answer}");
    }
}

#[test]
fn a_message_is_read_up_to_256_kib_and_no_further() {
    let message = |length: usize| {
        let (head, tail) = (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""#,
            "\"}}",
        );
        format!(
            "{head}{}{tail}",
            "a".repeat(length - head.len() - tail.len())
        )
    };
    let answered = |message: &str| match read(message) {
        Incoming::Answered(reply) => reply.into_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        answered(&message(MAX_MESSAGE_BYTES)),
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#
    );
    let refused = answered(&message(MAX_MESSAGE_BYTES + 1));
    assert!(
        refused.starts_with(r#"{"jsonrpc":"2.0","error":{"code":-32600,"#),
        "{refused}"
    );
}

#[test]
fn nesting_too_deep_is_refused_under_the_requests_id() {
    let deep = format!("{}{}", "[".repeat(70), "]".repeat(70));
    let message =
        format!(r#"{{"jsonrpc":"2.0","id":"d","method":"ping","params":{{"x":{deep}}}}}"#);
    let Incoming::Answered(reply) = read(&message) else {
        panic!("not answered");
    };
    assert!(
        reply
            .as_str()
            .starts_with(r#"{"jsonrpc":"2.0","id":"d","error":{"code":-32600,"#)
    );
}

fn call(params: &str) -> Call {
    let text = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
    match read(&text) {
        Incoming::Call(call) => *call,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_carries_what_the_client_said_and_nothing_made_up() {
    let call = call(
        r#"{"name":"pay","arguments":{"amount":1.50,"to":"x"},"_meta":{"progressToken":0,
        "countersign/dialect":"portable","countersign/run":"r","countersign/why":"rent",
        "countersign/wait_s":9}}"#,
    );
    assert_eq!(call.id, RpcId::Integer(7));
    assert_eq!(call.era, Era::Legacy);
    assert_eq!(
        Json::Object(call.arguments).to_string(),
        r#"{"amount":1.50,"to":"x"}"#
    );
    assert_eq!(call.progress, Some(RpcId::Integer(0)));
    let meta = CallMeta {
        dialect: Some(Dialect::Portable),
        run: Some("r".to_owned()),
        why: Some("rent".to_owned()),
        wait_s: 9,
    };
    assert_eq!(call.meta, meta);
}

#[test]
fn a_client_can_lower_the_wait_and_not_raise_it() {
    let wait = |meta: &str| {
        call(&format!(r#"{{"name":"x","_meta":{{{meta}}}}}"#))
            .meta
            .wait_s
    };
    assert_eq!(wait(""), 45);
    assert_eq!(wait(r#""countersign/wait_s":0"#), 0);
    assert_eq!(wait(r#""countersign/wait_s":46"#), 45);
    assert_eq!(wait(r#""countersign/wait_s":18446744073709551615"#), 45);
}

#[test]
fn words_for_the_person_are_taken_whole_or_refused() {
    let why = |length: usize| {
        let words = "é".repeat(length);
        let params = format!(r#"{{"name":"x","_meta":{{"countersign/why":"{words}"}}}}"#);
        let text = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        read(&text)
    };
    assert!(matches!(why(256), Incoming::Call(_)));
    let Incoming::Answered(reply) = why(257) else {
        panic!("taken");
    };
    assert!(reply.as_str().contains("-32602"));
}

#[test]
fn changes_are_told_to_each_client_in_its_era_and_on_its_channel() {
    let mut listeners = Listeners::default();
    let listen = |id: i64, tools| Listen {
        id: RpcId::Integer(id),
        tools,
    };
    listeners.initialized("countersign:a");
    listeners.initialized("countersign:a");
    listeners.listen("countersign:b", &listen(1, true));
    listeners.listen("countersign:b", &listen(2, false));
    listeners.listen("countersign:c", &listen(1, true));
    listeners.cancelled("countersign:c", &RpcId::Integer(1));
    listeners.cancelled("countersign:a", &RpcId::Integer(1));
    let told: Vec<_> = listeners
        .list_changed()
        .into_iter()
        .map(|post| (post.channel, post.message.into_string()))
        .collect();
    let method = r#""method":"notifications/tools/list_changed""#;
    let subscription = r#""params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}"#;
    assert_eq!(
        told,
        [
            (
                "countersign:a".to_owned(),
                format!(r#"{{"jsonrpc":"2.0",{method}}}"#)
            ),
            (
                "countersign:b".to_owned(),
                format!(r#"{{"jsonrpc":"2.0",{method},{subscription}}}"#)
            ),
        ]
    );
}

#[test]
fn a_caller_that_is_not_served_gets_one_constant_under_each_requests_id() {
    let requests = ["initialize", "tools/list", "tools/call", "nonsense"];
    let told: Vec<_> = requests
        .into_iter()
        .map(|method| format!(r#"{{"jsonrpc":"2.0","id":"q","method":"{method}","params":7}}"#))
        .map(|request| not_served(&request).unwrap().into_string())
        .collect();
    assert!(told[0].starts_with(r#"{"jsonrpc":"2.0","id":"q","error":{"code":-31001,"#));
    assert!(told.iter().all(|one| *one == told[0]));
    let numbered = not_served(r#"{"id":7,"method":"ping"}"#)
        .unwrap()
        .into_string();
    assert_eq!(numbered, told[0].replace("\"q\"", "7"));
}

#[test]
fn what_is_no_request_is_not_answered_to_a_caller_that_is_refused() {
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        "nonsense",
        "[]",
    ] {
        assert_eq!(not_served(text), None, "{text}");
        assert_eq!(flooded(text), None, "{text}");
    }
}

#[test]
fn our_own_errors_say_by_code_and_field_how_to_go_on() {
    let id = RpcId::Integer(1);
    let flooded = flooded(r#"{"id":1,"method":"ping"}"#).unwrap();
    for (reply, code, name) in [
        (Reply::call_lost(&id), -31003, "call_lost"),
        (Reply::internal_error(&id), -32603, "internal"),
        (flooded, -31002, "too_many_messages"),
    ] {
        let reply: Value = serde_json::from_str(reply.as_str()).unwrap();
        assert_eq!(reply["error"]["code"], code);
        assert_eq!(
            reply["error"]["data"],
            json!({ "code": name, "retry": "again" })
        );
        assert!(!reply["error"]["message"].as_str().unwrap().contains("fail"));
    }
}

#[test]
fn progress_is_told_under_the_clients_token() {
    let told = progress(&RpcId::Text("t".to_owned()), 10_000, "Waiting.");
    let params = r#"{"progressToken":"t","progress":10000,"message":"Waiting."}"#;
    let whole =
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#);
    assert_eq!(told.as_str(), whole);
}

#[test]
fn only_a_connected_client_may_keep_a_list() {
    let list = |connected| {
        let list = ListReply {
            tools: vec![],
            connected,
        };
        Reply::tools(&RpcId::Integer(1), Era::Modern, list).into_string()
    };
    assert!(list(false).contains(r#""ttlMs":0,"#));
    assert!(list(true).contains(r#""ttlMs":60000,"#));
}

proptest! {
    #[test]
    fn no_text_makes_the_door_panic_or_answer_with_a_null_id(text in any::<String>()) {
        if let Incoming::Answered(reply) = read(&text) {
            prop_assert!(!reply.as_str().contains("\"id\":null"));
        }
    }

    #[test]
    fn no_request_makes_the_door_panic_and_each_is_answered_under_its_id(
        method in "(initialize|ping|tools/list|tools/call|server/discover|subscriptions/listen|x)",
        key in "(protocolVersion|name|arguments|cursor|_meta|notifications)",
        value in "(1|null|\"a\"|\\[\\]|\\{\\}|\\{\"io\\.modelcontextprotocol/protocolVersion\":1\\})",
    ) {
        let params = format!(r#"{{"{key}":{value}}}"#);
        let text = format!(r#"{{"jsonrpc":"2.0","id":"q","method":"{method}","params":{params}}}"#);
        match read(&text) {
            Incoming::Answered(reply) => {
                let head = r#"{"jsonrpc":"2.0","id":"q","#;
                prop_assert!(reply.as_str().starts_with(head), "{}", reply.as_str());
            }
            Incoming::Tools(request) => prop_assert_eq!(request.id, RpcId::Text("q".to_owned())),
            Incoming::Call(call) => prop_assert_eq!(call.id, RpcId::Text("q".to_owned())),
            Incoming::Listen(listen) => prop_assert_eq!(listen.id, RpcId::Text("q".to_owned())),
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
