//! The views, by name.

mod adding;
mod consent;
mod risk;

use countersign_core::confirm::digest::RetryClass;
use countersign_core::confirm::picture::Mark;
use countersign_core::confirm::site::SiteName;
use countersign_core::confirm::view::*;
use countersign_core::ids::{AskDigest, AskId, ContentHash, NetworkId, PreviewId};
use countersign_core::time::{Civil, Timestamp};
use countersign_core::wire::ui::*;

const ANA: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";
const MINE: &str = "d3e13-ycqvw-zs2yh-ozyxx-3ckyo-bm2mj-aerly-gwyay-3ngew-dx4ia-lqe";
const POCKET: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae-dfxgiyy.102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20";
const TKA: &str = "bkyz2-fmaaa-aaaaa-qaaaq-cai";
const TKB: &str = "bd3sg-teaaa-aaaaa-qaaba-cai";
const ARG: &str = "4449444c066c06fbca0101c6fcb60204ba89e5c20402a2de94eb0605\
82f3f3910c04d8a38ca80d7d6c02b3b0dac30368ad86ca8305036e7d6e786d7b6e036e78";

/// A time like `2026-11-29T12:00:02Z`.
fn at(text: &str) -> Timestamp {
    let mut parts = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok());
    let mut next = || parts.next().expect("a made-up time has six parts");
    let civil = Civil {
        year: next(),
        month: next(),
        day: next(),
        hour: next(),
        minute: next(),
        second: next(),
        nanos: 0,
    };
    Timestamp::from_civil(civil).expect("a made-up time is a time")
}

fn amount(number: &str) -> Amount {
    Amount {
        number: number.into(),
        unit: "TKA".into(),
    }
}

fn mainnet() -> NetworkLabel {
    NetworkLabel {
        id: NetworkId::of_root_key(b"mainnet"),
        name: "Internet Computer".into(),
        mainnet: true,
    }
}

fn local() -> NetworkLabel {
    NetworkLabel {
        id: NetworkId::of_root_key(b"local"),
        name: "Local network".into(),
        mainnet: false,
    }
}

fn everyday() -> AccountLabel {
    AccountLabel {
        id: "1".into(),
        name: "Everyday".into(),
        address: MINE.into(),
        network: local(),
    }
}

fn savings() -> AccountLabel {
    AccountLabel {
        id: "0".into(),
        name: "Main".into(),
        address: POCKET.into(),
        network: mainnet(),
    }
}

/// The mark that every view shows.
pub(crate) fn mark() -> Mark {
    Mark::from_entropy([0x5a, 0x2f, 0, 27, 30])
}

fn view(screen: Screen) -> View {
    View {
        mark: mark(),
        waiting: 0,
        clock_off_s: None,
        settings: Settings::default(),
        screen,
    }
}

fn shown(view: View) -> ToWindow {
    ToWindow::View {
        seq: 1,
        handled: 0,
        failure: None,
        view: Box::new(view),
    }
}

fn screen(screen: Screen) -> ToWindow {
    shown(view(screen))
}

fn agent() -> SiteName {
    SiteName::of("https://agent.example")
}

fn asker(why: Option<&str>) -> Asker {
    Asker {
        site: agent(),
        connected: Some(at("2026-11-17T09:30:00Z")),
        done: 14,
        why: why.map(Into::into),
    }
}

fn argument(
    path: &str,
    text: Option<&str>,
    raw: &str,
    filled: Filled,
    kind: ValueKind,
) -> Argument {
    Argument {
        path: path.into(),
        text: text.map(Into::into),
        raw: raw.into(),
        name: None,
        filled,
        kind,
    }
}

fn transfer() -> Call {
    let owner = format!("record {{ owner = principal \"{ANA}\"; subaccount = null }}");
    Call {
        title: "Send tokens".into(),
        effect: Effect::Transfer,
        irreversible: true,
        amount: Some(amount("1.5")),
        party: Some(Party {
            role: Role::Payee,
            address: ANA.into(),
            from: None,
        }),
        arguments: vec![
            argument("to", Some(ANA), &owner, Filled::Site, ValueKind::Address),
            argument("fee", None, "null", Filled::Canister, ValueKind::Plain),
            argument(
                "memo",
                Some("order 118"),
                "opt blob \"order 118\"",
                Filled::Site,
                ValueKind::Quoted,
            ),
            argument(
                "from_subaccount",
                None,
                "null",
                Filled::Nobody,
                ValueKind::Plain,
            ),
            argument(
                "created_at_time",
                Some("2026-11-29T12:00:01.481926055Z"),
                "opt (1_796_212_801_481_926_055 : nat64)",
                Filled::Wallet,
                ValueKind::Plain,
            ),
            argument(
                "amount",
                Some("1.5 TKA"),
                "150_000_000 : nat",
                Filled::Site,
                ValueKind::Plain,
            ),
        ],
        method: "icrc1_transfer".into(),
        canister: Canister {
            id: TKA.into(),
            label: Some("TKA".into()),
            looks_like: None,
        },
        arg_hex: ARG.into(),
        arg_length: "147".into(),
        sender: everyday(),
        balance: Funds::Read(Balance {
            before: amount("41.7"),
            after: Some(amount("40.1999")),
            short: false,
            at: at("2026-11-29T12:00:02Z"),
        }),
        fee: Some(Fee {
            amount: amount("0.0001"),
            by_ledger: true,
        }),
        total: Some(amount("1.5001")),
        provenance: vec![
            Provenance::Pack("ICRC-1".into()),
            Provenance::CertifiedInterface(at("2026-11-17T09:30:00Z")),
            Provenance::CertifiedValues(at("2026-11-29T12:00:02Z")),
            Provenance::Module(ContentHash::of(b"ledger")),
        ],
        quotes: Vec::new(),
    }
}

fn lost(class: RetryClass) -> Lost {
    let stamped = !matches!(class, RetryClass::Unstamped);
    Lost {
        class,
        until: stamped.then(|| at("2026-11-30T12:00:01Z")),
    }
}

fn call_ask(call: Call, class: RetryClass, resend: Option<Resend>) -> Asked {
    Asked::Call(Box::new(CallAsk {
        preview: PreviewId::from_bytes([7; 16]),
        digest: AskDigest::from_bytes(*ContentHash::of(b"ask").as_bytes()),
        resend,
        findings: Vec::new(),
        last: None,
        call,
        consent: None,
        lost: lost(class),
        deadline: at("2026-11-30T00:00:01Z"),
    }))
}

fn ask(what: Asked) -> Ask {
    Ask {
        id: AskId::from_bytes([9; 16]),
        place: QueuePlace { nth: 1, of: 1 },
        asker: asker(Some("lunch order 118")),
        notice: None,
        what,
    }
}

fn asked(ask: Ask) -> ToWindow {
    screen(Screen::Ask(Box::new(ask)))
}

fn resend() -> Option<Resend> {
    Some(Resend {
        first_sent: at("2026-11-29T12:01:40Z"),
        sent: 1,
    })
}

fn read(facts: CanisterFacts) -> CanisterState {
    CanisterState::Read(Box::new(facts))
}

fn facts(symbol: &str, decimals: &str, retry: RetryClass) -> CanisterFacts {
    CanisterFacts {
        symbol: Some(symbol.into()),
        name: Some(format!("Token {}", symbol.to_lowercase())),
        decimals: Some(decimals.into()),
        fee: Some(Amount {
            number: "0.0001".into(),
            unit: symbol.into(),
        }),
        standards: vec!["ICRC-1".into(), "ICRC-2".into(), "ICRC-3".into()],
        methods: 26,
        fingerprint: ContentHash::of(symbol.as_bytes()),
        module: Some(ContentHash::of(b"module")),
        at: at("2026-11-29T12:00:02Z"),
        retry,
        looks_like: None,
        pasted: Pasted::None,
        profiles: Vec::new(),
    }
}

fn tool(name: &str, title: Option<&str>, kind: ToolKind) -> ToolLine {
    ToolLine {
        name: name.into(),
        title: title.map(Into::into),
        kind,
        definition: (kind == ToolKind::Read || kind == ToolKind::Prepare)
            .then(|| adding::definition(name, title.unwrap_or(name))),
    }
}

fn connect() -> ConnectAsk {
    ConnectAsk {
        shown: ContentHash::of(b"connect"),
        more: false,
        by_person: false,
        accounts: vec![
            AccountChoice {
                account: everyday(),
                used_by: Vec::new(),
            },
            AccountChoice {
                account: savings(),
                used_by: vec![SiteName::of("https://books.example.org")],
            },
        ],
        account: "1".into(),
        preset: Preset::Payments,
        canisters: vec![
            ConnectCanister {
                id: TKA.into(),
                state: read(facts("TKA", "8", RetryClass::Known)),
            },
            ConnectCanister {
                id: TKB.into(),
                state: CanisterState::Unreadable(Unreadable::NoInterface),
            },
        ],
        tools: vec![
            tool(
                "icrc1_balance_of",
                Some("Balance of an account"),
                ToolKind::Read,
            ),
            tool("icrc1_fee", Some("Fee of a transfer"), ToolKind::Read),
            tool(
                "prepare_icrc1_transfer",
                Some("Send tokens"),
                ToolKind::Prepare,
            ),
            tool("commit", None, ToolKind::Commit),
            tool("wallet_cancel", None, ToolKind::Wallet),
            tool("wallet_connect", None, ToolKind::Wallet),
            tool("wallet_intent", None, ToolKind::Wallet),
            tool("wallet_status", None, ToolKind::Wallet),
        ],
        skipped: vec![
            SkippedMethod {
                method: "get_blocks".into(),
                reason: "start: nat has no value tag and no describe".into(),
            },
            SkippedMethod {
                method: "icrc21_canister_call_consent_message".into(),
                reason: "no intent".into(),
            },
        ],
        deadline: at("2026-12-06T12:00:00Z"),
        blocked: None,
    }
}

fn connect_ask(connect: ConnectAsk) -> Ask {
    Ask {
        id: AskId::from_bytes([8; 16]),
        place: QueuePlace { nth: 1, of: 1 },
        asker: Asker {
            site: SiteName::of("https://agent.lunch.example.org"),
            connected: None,
            done: 0,
            why: Some("to pay for the lunch you order here".into()),
        },
        notice: None,
        what: Asked::Connect(Box::new(connect)),
    }
}

fn row(byte: u8, number: &str, state: State, when: &str, block: Option<&str>) -> ActivityRow {
    ActivityRow {
        preview: PreviewId::from_bytes([byte; 16]),
        title: "Send tokens".into(),
        effect: Effect::Transfer,
        amount: Some(amount(number)),
        party: Some(ANA.into()),
        site: agent(),
        at: at(when),
        state,
        block: block.map(Into::into),
    }
}

fn rows() -> Vec<ActivityRow> {
    let lunch = SiteName::of("https://lunch-b0t.example");
    vec![
        row(1, "1.5", State::NoAnswer, "2026-11-29T14:02:00Z", None),
        row(2, "1.5", State::Done, "2026-11-22T12:40:00Z", Some("1042")),
        ActivityRow {
            effect: Effect::Allowance,
            title: "Allow spending".into(),
            ..row(3, "100", State::Done, "2026-11-21T08:00:00Z", Some("1038"))
        },
        ActivityRow {
            site: lunch.clone(),
            ..row(4, "200", State::Declined, "2026-11-20T18:12:00Z", None)
        },
        ActivityRow {
            effect: Effect::Other,
            title: "update_settings".into(),
            amount: None,
            party: None,
            site: lunch,
            ..row(5, "0", State::Refused, "2026-11-20T18:10:00Z", None)
        },
        row(
            6,
            "123456789.12345678",
            State::AlreadyDone,
            "2026-11-19T10:00:00Z",
            Some("999"),
        ),
    ]
}

fn standing() -> Standing {
    Standing {
        known: Known::SentNoAnswer(at("2026-11-29T14:02:00Z")),
        doing: Doing::AskingUntil(at("2026-11-29T14:07:00Z")),
        advice: Advice::WaitUntil(at("2026-11-29T14:31:00Z")),
    }
}

fn home() -> Home {
    Home {
        accounts: vec![
            AccountCard {
                account: everyday(),
                principal: MINE.into(),
                tokens: vec![
                    TokenLine {
                        ledger: TKA.into(),
                        symbol: Some("TKA".into()),
                        balance: TokenBalance::Read(amount("41.7")),
                    },
                    TokenLine {
                        ledger: TKB.into(),
                        symbol: None,
                        balance: TokenBalance::Unreadable,
                    },
                ],
                sites: vec![agent(), SiteName::of("https://lunch-b0t.example")],
            },
            AccountCard {
                account: savings(),
                principal: MINE.into(),
                tokens: Vec::new(),
                sites: Vec::new(),
            },
        ],
        unsettled: vec![Unsettled {
            row: row(1, "1.5", State::NoAnswer, "2026-11-29T14:02:00Z", None),
            standing: standing(),
        }],
        damaged: 0,
        latest: rows(),
        more: true,
    }
}

fn happened(when: &str, what: Happened, detail: Option<&str>) -> HistoryLine {
    HistoryLine {
        at: at(when),
        what,
        detail: detail.map(Into::into),
    }
}

fn record(state: State, block: Option<&str>) -> IntentRecord {
    IntentRecord {
        row: row(2, "1.5", state, "2026-11-29T14:02:00Z", block),
        call: transfer(),
        lost: lost(RetryClass::Known),
        standing: None,
        history: vec![
            happened("2026-11-29T13:58:00Z", Happened::Prepared, None),
            happened("2026-11-29T13:59:00Z", Happened::Asked, None),
            happened("2026-11-29T14:01:00Z", Happened::Approved, None),
            happened("2026-11-29T14:01:10Z", Happened::Signed, None),
            happened(
                "2026-11-29T14:02:00Z",
                Happened::HandedOver,
                Some("89ef3d0036bf686c1325fc44dcb3635679721c3fbef46705c07b86b7ef82b4b0"),
            ),
        ],
        answer: None,
        actions: Vec::new(),
    }
}

fn network_card(network: NetworkLabel, urls: &[&str], ledgers: &[&str]) -> NetworkCard {
    let account = if network.mainnet {
        savings()
    } else {
        everyday()
    };
    NetworkCard {
        network,
        urls: urls.iter().map(|url| (*url).to_owned()).collect(),
        accounts: vec![account],
        deduplicating: ledgers.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn networks(adding: Option<Adding>) -> ToWindow {
    screen(Screen::Networks(Networks {
        networks: vec![
            network_card(mainnet(), &["https://icp-api.io"], &[]),
            network_card(local(), &["http://127.0.0.1:4943"], &[TKA]),
        ],
        adding,
    }))
}

fn next() -> Option<NextAsk> {
    Some(NextAsk {
        site: SiteName::of("https://lunch-b0t.example"),
        waiting: 2,
    })
}

fn url() -> String {
    "http://127.0.0.1:8080".into()
}

/// Every state, by its name.
pub(crate) fn all() -> Vec<(&'static str, ToWindow)> {
    let routine = || call_ask(transfer(), RetryClass::Known, None);
    let mut views = vec![
        (
            "first-run",
            screen(Screen::FirstRun(FirstRun {
                network: mainnet(),
                shortest: 10,
            })),
        ),
        (
            "unlock",
            screen(Screen::Unlock(Unlock {
                asked_by: None,
                in_flight: 0,
                frozen: None,
            })),
        ),
        (
            "unlock-frozen",
            screen(Screen::Unlock(Unlock {
                asked_by: None,
                in_flight: 1,
                frozen: Some(at("2026-11-29T12:00:00Z")),
            })),
        ),
        (
            "unlock-asked",
            screen(Screen::Unlock(Unlock {
                asked_by: Some(agent()),
                in_flight: 1,
                frozen: None,
            })),
        ),
        (
            "home",
            shown(View {
                waiting: 2,
                clock_off_s: Some(-310),
                ..view(Screen::Home(home()))
            }),
        ),
        (
            "home-new",
            screen(Screen::Home(Home {
                accounts: vec![AccountCard {
                    account: AccountLabel {
                        address: MINE.into(),
                        ..savings()
                    },
                    principal: MINE.into(),
                    tokens: Vec::new(),
                    sites: Vec::new(),
                }],
                unsettled: Vec::new(),
                damaged: 2,
                latest: Vec::new(),
                more: false,
            })),
        ),
        (
            "activity",
            screen(Screen::Activity(Activity {
                rows: rows(),
                more: true,
            })),
        ),
        (
            "intent-done",
            screen(Screen::Intent(Box::new(IntentRecord {
                answer: Some("variant { Ok = 1042 : nat }".into()),
                history: [
                    record(State::Done, None).history,
                    vec![
                        happened(
                            "2026-11-29T14:02:03Z",
                            Happened::Answered,
                            Some("block 1042"),
                        ),
                        happened("2026-11-29T14:02:03Z", Happened::Told, None),
                    ],
                ]
                .concat(),
                ..record(State::Done, Some("1042"))
            }))),
        ),
        (
            "intent-held",
            screen(Screen::Intent(Box::new(IntentRecord {
                standing: Some(Standing {
                    known: Known::AnswerGone(at("2026-11-29T14:02:00Z")),
                    doing: Doing::Nothing,
                    advice: Advice::Settle,
                }),
                actions: vec![
                    Action::SendAgain,
                    Action::ItHappened,
                    Action::ItDidNot,
                    Action::MayHappenTwice,
                ],
                ..record(State::Unclear, None)
            }))),
        ),
        ("intent-none", screen(Screen::NoIntent)),
        ("networks", networks(None)),
        (
            "networks-reading",
            networks(Some(Adding::Reading { url: url() })),
        ),
        (
            "networks-read",
            networks(Some(Adding::Read {
                url: url(),
                id: NetworkId::of_root_key(b"new"),
                name: "127.0.0.1:8080".into(),
                known: None,
            })),
        ),
        (
            "networks-known",
            networks(Some(Adding::Read {
                url: url(),
                id: local().id,
                name: String::new(),
                known: Some(local()),
            })),
        ),
        (
            "networks-failed",
            networks(Some(Adding::Failed {
                url: url(),
                why: ReadFailure::NotANetwork,
            })),
        ),
        ("ask", asked(ask(routine()))),
        (
            "ask-canister-agrees",
            consent::asked_with(consent::agrees()),
        ),
        (
            "ask-canister-differs",
            consent::asked_with(consent::differs()),
        ),
        ("ask-canister-odd", consent::asked_with(consent::odd())),
        (
            "ask-canister-silent",
            consent::asked_with(consent::silent()),
        ),
        (
            "ask-reading",
            asked(ask(call_ask(
                Call {
                    fee: None,
                    total: None,
                    balance: Funds::Reading,
                    ..transfer()
                },
                RetryClass::Known,
                None,
            ))),
        ),
        (
            "ask-queue",
            asked(Ask {
                place: QueuePlace { nth: 1, of: 3 },
                asker: Asker {
                    site: SiteName::of("https://pay.xn--gent-2oa.example:8443"),
                    ..asker(None)
                },
                notice: Some(Notice::Lapsed(Lapse::Late)),
                ..ask(call_ask(transfer(), RetryClass::Claimed, None))
            }),
        ),
        (
            "ask-changed",
            asked(Ask {
                notice: Some(Notice::Changed(vec![Change {
                    what: Changed::Fee,
                    before: Some("0.0001 TKA".into()),
                    now: Some("0.25 TKA".into()),
                }])),
                ..ask(call_ask(
                    Call {
                        fee: Some(Fee {
                            amount: amount("0.25"),
                            by_ledger: true,
                        }),
                        total: Some(amount("1.75")),
                        balance: Funds::Read(Balance {
                            before: amount("1.6"),
                            after: None,
                            short: true,
                            at: at("2026-11-29T12:00:02Z"),
                        }),
                        ..transfer()
                    },
                    RetryClass::Known,
                    None,
                ))
            }),
        ),
        (
            "ask-resend",
            asked(ask(call_ask(transfer(), RetryClass::Known, resend()))),
        ),
        (
            "ask-allowance",
            asked(ask(call_ask(
                Call {
                    title: "Allow spending".into(),
                    effect: Effect::Allowance,
                    irreversible: false,
                    party: Some(Party {
                        role: Role::Spender,
                        address: POCKET.into(),
                        from: None,
                    }),
                    total: None,
                    method: "icrc2_approve".into(),
                    ..transfer()
                },
                RetryClass::Known,
                None,
            ))),
        ),
        (
            "ask-other",
            asked(ask(call_ask(
                Call {
                    title: "update_settings".into(),
                    effect: Effect::Other,
                    irreversible: false,
                    amount: None,
                    party: None,
                    arguments: vec![
                        argument(
                            "name",
                            Some("café"),
                            "\"café\"",
                            Filled::Site,
                            ValueKind::Quoted,
                        ),
                        argument(
                            "limits[0].count",
                            Some("12"),
                            "12 : nat32",
                            Filled::Site,
                            ValueKind::Plain,
                        ),
                        argument(
                            "limits[0].key",
                            Some(ARG),
                            "blob \"…\"",
                            Filled::Site,
                            ValueKind::Bytes,
                        ),
                    ],
                    method: "update_settings".into(),
                    canister: Canister {
                        id: TKB.into(),
                        label: None,
                        looks_like: None,
                    },
                    balance: Funds::Unreadable,
                    fee: None,
                    total: None,
                    provenance: vec![
                        Provenance::Untagged,
                        Provenance::CertifiedInterface(at("2026-11-17T09:30:00Z")),
                    ],
                    ..transfer()
                },
                RetryClass::Unstamped,
                None,
            ))),
        ),
        (
            "ask-long",
            asked(ask(call_ask(
                Call {
                    amount: Some(amount("340282366920938463463374607431.768211455")),
                    party: Some(Party {
                        role: Role::Payee,
                        address: POCKET.into(),
                        from: Some(POCKET.into()),
                    }),
                    effect: Effect::TransferFrom,
                    ..transfer()
                },
                RetryClass::Known,
                None,
            ))),
        ),
        (
            "ask-working",
            asked(Ask {
                notice: Some(Notice::Working),
                ..ask(routine())
            }),
        ),
        ("connect", asked(connect_ask(connect()))),
        (
            "connect-reading",
            asked(connect_ask(ConnectAsk {
                more: true,
                canisters: vec![ConnectCanister {
                    id: TKA.into(),
                    state: CanisterState::Reading,
                }],
                tools: Vec::new(),
                skipped: Vec::new(),
                blocked: Some(ConnectBlock::Reading),
                ..connect()
            })),
        ),
        (
            "decided",
            screen(Screen::Decided(Decided {
                decision: Decision::Approved,
                row: Some(row(2, "1.5", State::Sending, "2026-11-29T14:02:00Z", None)),
                next: None,
            })),
        ),
        (
            "decided-next",
            screen(Screen::Decided(Decided {
                decision: Decision::Declined,
                row: Some(row(2, "1.5", State::Declined, "2026-11-29T14:02:00Z", None)),
                next: next(),
            })),
        ),
        (
            "dead",
            screen(Screen::Dead(Dead {
                why: DeadWhy::Withdrawn,
                site: Some(agent()),
                row: Some(row(2, "1.5", State::Prepared, "2026-11-29T14:02:00Z", None)),
                next: None,
            })),
        ),
        ("no-ask", screen(Screen::NoAsk)),
        ("settings", screen(Screen::Settings)),
        (
            "settings-set",
            shown(View {
                settings: Settings {
                    language: Some(Language::English),
                    theme: Theme::Dark,
                },
                ..view(Screen::Settings)
            }),
        ),
        ("refused", ToWindow::Refused(Refused::Token)),
    ];
    views.extend(adding::all());
    views.extend(risk::all());
    views
}
