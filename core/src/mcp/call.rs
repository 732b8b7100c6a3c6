//! The requests that the engine answers, and what they say in `_meta`.

use super::{
    era::Era,
    read::{Object, ProgressToken, RpcId},
    reply::Reply,
};
use crate::{json::Json, tools::Dialect};

/// The longest name of a run, in code points.
const MAX_RUN: usize = 128;
/// The longest reason a site may give for a call, in code points. A longer one is refused, for a
/// person is never shown a part of it.
const MAX_WHY: usize = 256;
/// How long a call may be left open when its client does not say: the clients' own limit is 60 s.
const MAX_WAIT_S: u64 = 45;

/// `tools/list`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ToolsRequest {
    /// The id to answer.
    pub id: RpcId,
    /// The form of the answer.
    pub era: Era,
    /// The dialect asked for; else the site's setting decides.
    pub dialect: Option<Dialect>,
}

/// `tools/call`: one use of a tool. Nothing in it says who calls.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Call {
    /// The id to answer. Unique only within its document and channel.
    pub id: RpcId,
    /// The form of the answer.
    pub era: Era,
    /// The tool's name, not known to exist.
    pub name: String,
    /// The arguments, not checked but for being an object.
    pub arguments: Object,
    /// Present where the client wants notifications of progress.
    pub progress: Option<ProgressToken>,
    /// What the client says it can do; empty in the legacy era.
    pub capabilities: Object,
    /// Our own words in `_meta`.
    pub meta: CallMeta,
}

/// What a call says in the keys of `_meta` that are ours.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CallMeta {
    /// `countersign/dialect`
    pub dialect: Option<Dialect>,
    /// `countersign/run`: groups calls, at most 128 code points.
    pub run: Option<String>,
    /// `countersign/why`: the site's words for the person, untrusted, at most 256 code points.
    pub why: Option<String>,
    /// `countersign/wait_s`: seconds after which the call is to be answered in any case. 45 where
    /// it was left out or was more.
    pub wait_s: u64,
}

/// `subscriptions/listen`: a modern client wants to be told of changes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Listen {
    /// The id of the request, which is the id of the subscription.
    pub id: RpcId,
    /// Whether it wants to hear that the list of tools changed. We offer nothing else.
    pub tools: bool,
}

/// `countersign/dialect`, where it is given.
pub(super) fn dialect(id: &RpcId, meta: &Object) -> Result<Option<Dialect>, Reply> {
    let Some(given) = meta.get("countersign/dialect") else {
        return Ok(None);
    };
    let known = given.as_str().and_then(Dialect::parse);
    known.map(Some).ok_or_else(|| {
        Reply::invalid_params(
            id,
            "_meta[\"countersign/dialect\"] must be \"full\" or \"portable\".",
        )
    })
}

impl CallMeta {
    pub(super) fn read(id: &RpcId, meta: &Object) -> Result<Self, Reply> {
        Ok(Self {
            dialect: dialect(id, meta)?,
            run: words(id, meta, "countersign/run", MAX_RUN)?,
            why: words(id, meta, "countersign/why", MAX_WHY)?,
            wait_s: wait_s(id, meta)?,
        })
    }
}

fn words(id: &RpcId, meta: &Object, key: &str, most: usize) -> Result<Option<String>, Reply> {
    let Some(given) = meta.get(key) else {
        return Ok(None);
    };
    match given.as_str() {
        Some(text) if text.chars().count() <= most => Ok(Some(text.to_owned())),
        Some(_) | None => Err(Reply::invalid_params(
            id,
            &format!("_meta[\"{key}\"] must be a string of at most {most} characters."),
        )),
    }
}

fn wait_s(id: &RpcId, meta: &Object) -> Result<u64, Reply> {
    let Some(given) = meta.get("countersign/wait_s") else {
        return Ok(MAX_WAIT_S);
    };
    match given.as_number().and_then(|number| number.as_u64()) {
        Some(seconds) => Ok(seconds.min(MAX_WAIT_S)),
        None => Err(Reply::invalid_params(
            id,
            "_meta[\"countersign/wait_s\"] must be a whole number of seconds, 0 or more.",
        )),
    }
}

/// The arguments of `tools/call`: an object, empty where it was left out.
pub(super) fn arguments(id: &RpcId, params: &Object) -> Result<Object, Reply> {
    match params.get("arguments") {
        None => Ok(Object::default()),
        Some(Json::Object(arguments)) => Ok(arguments.clone()),
        Some(_) => Err(Reply::invalid_params(
            id,
            "params.arguments must be an object.",
        )),
    }
}
