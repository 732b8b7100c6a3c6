//! The control interface: JSON over HTTP on loopback, for tests and the demo. It moves time,
//! mints, shows balances and blocks, orders faults, and says what was seen. It sends no CORS
//! headers and wants JSON, so that no page can use it.
//!
//! Amounts and times are decimal text.

use crate::{
    Nanos,
    canisters::ledger::{Block, Change, Ledger, Tokens},
    faults::{Fault, Faults},
    network::{Counters, Network},
    server::Shared,
};
use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use candid::Principal;
use icrc_ledger_types::icrc1::{account::Account, transfer::Memo};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc};

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/status", get(status))
        .route("/time", post(time))
        .route("/counters", get(counters).delete(reset_counters))
        .route(
            "/faults",
            get(faults).post(order_fault).delete(clear_faults),
        )
        .route("/release", post(release))
        .route("/ledger/{id}", post(change))
        .route("/ledger/{id}/mint", post(mint))
        .route("/ledger/{id}/balance/{account}", get(balance))
        .route("/ledger/{id}/blocks", get(blocks))
        .route("/ledger/{id}/interface", get(interface))
        .route("/", delete(async || StatusCode::NOT_FOUND))
        .with_state(shared)
}

/// A control request that cannot be done, with what is wrong.
struct Refused(StatusCode, String);

impl Refused {
    fn bad(text: impl Into<String>) -> Self {
        Self(StatusCode::BAD_REQUEST, text.into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

type Answer = Result<Json<Value>, Refused>;
type App = State<Arc<Shared>>;

fn number<T: std::str::FromStr>(text: &str) -> Result<T, Refused> {
    text.parse()
        .map_err(|_| Refused::bad(format!("not a number: {text:?}")))
}

fn account(text: &str) -> Result<Account, Refused> {
    text.parse()
        .map_err(|error| Refused::bad(format!("not an account: {text:?}: {error}")))
}

fn ledger_id(text: &str) -> Result<Principal, Refused> {
    Principal::from_text(text)
        .map_err(|error| Refused::bad(format!("not a principal: {text:?}: {error}")))
}

fn ledger(network: &Network, id: Principal) -> Result<&Ledger, Refused> {
    network
        .ledger(id)
        .ok_or_else(|| Refused(StatusCode::NOT_FOUND, format!("no ledger {id}")))
}

fn ledger_mut(network: &mut Network, id: Principal) -> Result<&mut Ledger, Refused> {
    network
        .ledger_mut(id)
        .ok_or_else(|| Refused(StatusCode::NOT_FOUND, format!("no ledger {id}")))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn status(State(shared): App) -> Json<Value> {
    let network = shared.network();
    let known = &shared.config.known_to_deduplicate;
    let ledgers: Vec<Value> = network
        .ledgers()
        .into_iter()
        .filter_map(|id| network.ledger(id))
        .map(|ledger| {
            let settings = ledger.settings();
            json!({
                "id": settings.id.to_text(),
                "name": settings.name,
                "symbol": settings.symbol,
                "decimals": settings.decimals,
                "fee": settings.fee.to_string(),
                "minting_account": settings.minting_account.to_string(),
                "deduplication": if known.contains(&settings.id) { "known" } else { "claimed" },
                "stamps": settings.stamps,
                "blocks": ledger.blocks().len(),
                "archives": ledger.archive_canisters().iter()
                    .map(|archive| archive.id().to_text())
                    .collect::<Vec<_>>(),
            })
        })
        .collect();
    Json(json!({
        "url": shared.url,
        "root_key": hex(network.root_key()),
        "subnet": network.subnet_id().to_text(),
        "time_ns": network.now().to_string(),
        "ledgers": ledgers,
        "faults": standing(&network.faults),
    }))
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Time {
    /// Moves the clock ahead by milliseconds.
    AdvanceMs(u64),
    /// Moves the clock ahead to a point of time.
    SetNs(String),
}

async fn time(State(shared): App, Json(time): Json<Time>) -> Answer {
    let now = shared.network().now();
    let by = match time {
        Time::AdvanceMs(ms) => ms.saturating_mul(1_000_000),
        Time::SetNs(at) => number::<Nanos>(&at)?
            .checked_sub(now)
            .ok_or_else(|| Refused::bad("the network's time never goes back"))?,
    };
    shared.advance(by);
    Ok(Json(
        json!({ "time_ns": shared.network().now().to_string() }),
    ))
}

async fn counters(State(shared): App) -> Json<BTreeMap<String, Counters>> {
    let network = shared.network();
    Json(
        network
            .ledgers()
            .into_iter()
            .map(|id| (id.to_text(), network.counters(id)))
            .collect(),
    )
}

async fn reset_counters(State(shared): App) -> StatusCode {
    shared.network().reset_counters();
    StatusCode::NO_CONTENT
}

/// A fault by name, with changes; or a fault in full.
#[derive(Deserialize)]
#[serde(untagged)]
enum Order {
    Named(Named),
    Full(Box<Fault>),
}

#[derive(Deserialize)]
struct Named {
    name: String,
    /// Any of the fields of [`Fault`], instead of what the name gives.
    #[serde(flatten)]
    changes: serde_json::Map<String, Value>,
}

impl Named {
    fn fault(self) -> Result<Fault, Refused> {
        let fault = Fault::named(&self.name).map_err(|error| Refused::bad(error.to_string()))?;
        let Value::Object(mut fields) = json!(fault) else {
            unreachable!("a fault is an object");
        };
        fields.extend(self.changes);
        serde_json::from_value(Value::Object(fields))
            .map_err(|error| Refused::bad(format!("not a fault: {error}")))
    }
}

async fn order_fault(State(shared): App, Json(order): Json<Order>) -> Answer {
    let fault = match order {
        Order::Named(named) => named.fault()?,
        Order::Full(fault) => *fault,
    };
    let mut network = shared.network();
    network.faults.order(fault);
    Ok(Json(standing(&network.faults)))
}

fn standing(faults: &Faults) -> Value {
    json!(faults.standing().collect::<Vec<_>>())
}

async fn faults(State(shared): App) -> Json<Value> {
    Json(standing(&shared.network().faults))
}

async fn clear_faults(State(shared): App) -> StatusCode {
    shared.network().faults.clear();
    StatusCode::NO_CONTENT
}

async fn release(State(shared): App) -> Json<Value> {
    Json(json!({ "executed": shared.network().release() }))
}

async fn change(State(shared): App, Path(id): Path<String>, Json(change): Json<Change>) -> Answer {
    let mut network = shared.network();
    let ledger = ledger_mut(&mut network, ledger_id(&id)?)?;
    ledger.change(&change);
    Ok(Json(json!({ "fee": ledger.settings().fee.to_string() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mint {
    to: String,
    /// Base units.
    amount: String,
}

async fn mint(State(shared): App, Path(id): Path<String>, Json(mint): Json<Mint>) -> Answer {
    let (to, amount) = (account(&mint.to)?, number::<Tokens>(&mint.amount)?);
    let mut network = shared.network();
    let now = network.now();
    let ledger = ledger_mut(&mut network, ledger_id(&id)?)?;
    let block = ledger
        .mint(to, amount, now)
        .map_err(|error| Refused::bad(error.to_string()))?;
    Ok(Json(
        json!({ "block": block, "balance": ledger.balance(&to).to_string() }),
    ))
}

async fn balance(State(shared): App, Path((id, of)): Path<(String, String)>) -> Answer {
    let of = account(&of)?;
    let network = shared.network();
    let ledger = ledger(&network, ledger_id(&id)?)?;
    Ok(Json(json!({ "balance": ledger.balance(&of).to_string() })))
}

async fn blocks(State(shared): App, Path(id): Path<String>) -> Answer {
    let network = shared.network();
    let ledger = ledger(&network, ledger_id(&id)?)?;
    let blocks: Vec<Line> = ledger.blocks().iter().zip(0..).map(Line::of).collect();
    Ok(Json(json!(blocks)))
}

async fn interface(State(shared): App, Path(id): Path<String>) -> Result<String, Refused> {
    let network = shared.network();
    let ledger = ledger(&network, ledger_id(&id)?)?;
    Ok(ledger.interface().to_owned())
}

/// A block, for a person or a test to read.
#[derive(Default, Serialize)]
struct Line {
    index: u64,
    kind: String,
    hash: String,
    timestamp: String,
    from: Option<String>,
    to: Option<String>,
    spender: Option<String>,
    amount: String,
    fee: Option<String>,
    memo: Option<String>,
    created_at_time: Option<String>,
}

impl Line {
    fn of((block, index): (&Block, u64)) -> Self {
        let tx = &block.transaction;
        let line = Self {
            index,
            kind: tx.kind.clone(),
            hash: hex(&block.hash),
            timestamp: tx.timestamp.to_string(),
            ..Self::default()
        };
        let text = |account: &Account| Some(account.to_string());
        let plain = |n: &candid::Nat| n.0.to_string();
        let rest = |fee: &Option<candid::Nat>, memo: &Option<Memo>, stamp: Option<Nanos>| Self {
            fee: fee.as_ref().map(plain),
            memo: memo.as_ref().map(|memo| hex(&memo.0)),
            created_at_time: stamp.map(|stamp| stamp.to_string()),
            ..Self::default()
        };
        let (from, to, spender, amount, rest) = if let Some(t) = &tx.transfer {
            let rest = rest(&t.fee, &t.memo, t.created_at_time);
            (
                text(&t.from),
                text(&t.to),
                t.spender.as_ref().and_then(text),
                plain(&t.amount),
                rest,
            )
        } else if let Some(t) = &tx.mint {
            (
                None,
                text(&t.to),
                None,
                plain(&t.amount),
                rest(&t.fee, &t.memo, t.created_at_time),
            )
        } else if let Some(t) = &tx.burn {
            let rest = rest(&t.fee, &t.memo, t.created_at_time);
            (
                text(&t.from),
                None,
                t.spender.as_ref().and_then(text),
                plain(&t.amount),
                rest,
            )
        } else if let Some(t) = &tx.approve {
            let rest = rest(&t.fee, &t.memo, t.created_at_time);
            (
                text(&t.from),
                None,
                text(&t.spender),
                plain(&t.amount),
                rest,
            )
        } else {
            (None, None, None, String::new(), Self::default())
        };
        Self {
            from,
            to,
            spender,
            amount,
            fee: rest.fee,
            memo: rest.memo,
            created_at_time: rest.created_at_time,
            ..line
        }
    }
}
