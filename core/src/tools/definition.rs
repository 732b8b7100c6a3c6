//! What a model is told of a tool (MCP, *Tools*). Every word is ours or a pack's; from outside come
//! only canister ids, checked symbols and names, and labels that the person typed.

use super::{
    canister::Canister,
    catalog::Tool,
    names::{Dialect, plain},
    plan::{CANISTER_ID, COMMIT, Plan, Role, ToolKind},
    schema::{Scope, input, is_required},
};
use crate::profile::{RelPath, Root, Step};
use serde_json::{Map, Value, json};

/// The definition of one tool.
pub(super) fn definition(tool: &Tool, dialect: Dialect) -> Value {
    let canisters: Vec<&Canister> = tool.entries().iter().map(|entry| &entry.canister).collect();
    let plan = tool.first();
    let scope = Scope {
        dialect,
        canisters: &canisters,
    };
    let mut properties = Map::new();
    properties.insert(CANISTER_ID.to_owned(), selector(&canisters));
    let mut required = vec![CANISTER_ID];
    for param in &plan.params {
        let name = param.names.get(dialect);
        properties.insert(name.to_owned(), input(&scope, &param.reader));
        if is_required(&param.reader) {
            required.push(name);
        }
    }
    let annotations = match plan.kind {
        ToolKind::Read { .. } => json!({
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
            "readOnlyHint": true,
            "title": plan.title(),
        }),
        ToolKind::Prepare => json!({
            "destructiveHint": false,
            "openWorldHint": false,
            "readOnlyHint": true,
            "title": plan.title(),
        }),
    };
    json!({
        "name": tool.names().get(dialect),
        "description": describe(plan),
        "inputSchema": object_schema(dialect, properties, &required),
        "annotations": annotations,
    })
}

/// The definition of the tool that sends.
#[must_use]
pub fn commit_definition(dialect: Dialect) -> Value {
    let mut preview_id = json!({
        "type": "string",
        "description": "The preview_id that a prepare tool answered with.",
    });
    if dialect == Dialect::Full {
        preview_id["pattern"] = json!("^[0-9a-f]{32}$");
    }
    let mut properties = Map::new();
    properties.insert("preview_id".to_owned(), preview_id);
    json!({
        "name": COMMIT,
        "description": "Ask the person to countersign a prepared call, and send it if they agree. \
            They see every argument in a window of their own, and may decline. The answer says what \
            happened (outcome), whether the same may be tried again (retry), and which tool to call \
            next (next). After an unknown outcome commit the same preview_id again: it never pays \
            twice. Never prepare the call anew unless the answer says so.",
        "inputSchema": object_schema(dialect, properties, &["preview_id"]),
        "annotations": {
            "destructiveHint": true,
            "idempotentHint": true,
            "openWorldHint": true,
            "readOnlyHint": false,
            "title": "Send a prepared call",
        },
    })
}

fn object_schema(dialect: Dialect, properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
    });
    if dialect == Dialect::Full {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

fn selector(canisters: &[&Canister]) -> Value {
    let ids: Vec<_> = canisters.iter().map(|c| c.id.to_text()).collect();
    let words: Vec<_> = canisters
        .iter()
        .map(|canister| match canister.label() {
            Some(label) => format!("{} ({label})", canister.id),
            None => canister.id.to_text(),
        })
        .collect();
    json!({
        "type": "string",
        "enum": ids,
        "description": format!("The canister to call, by its id: {}.", words.join(", ")),
    })
}

impl Plan {
    /// The call's title, with the names of the positions that its template asks for.
    #[must_use]
    pub fn title(&self) -> String {
        fill_template(&self.title, |_| None)
    }
}

/// Puts texts in the places of a template (`Pay {amount}`). A place without text keeps its name.
pub(super) fn fill_template(
    template: &str,
    mut text: impl FnMut(&str) -> Option<String>,
) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, tail)) = rest.split_once('{') {
        out.push_str(before);
        let Some((position, after)) = tail.split_once('}') else {
            out.push_str(tail);
            return out;
        };
        out.push_str(&text(position).unwrap_or_else(|| told(position)));
        rest = after;
    }
    out + rest
}

/// What a position is called in a title: its own name, without the way to it.
fn told(position: &str) -> String {
    let path = RelPath::parse(position, Root::Args).ok();
    match path.as_ref().and_then(|path| path.steps.last()) {
        Some(Step::Member(name)) => plain(name),
        Some(Step::Number(_) | Step::Elements) | None => plain(position),
    }
}

fn describe(plan: &Plan) -> String {
    let mut method = format!("`{}`", plain(plan.method()));
    if let Some(case) = plan.case() {
        method.push_str(&format!(", case `{}`", plain(case)));
    }
    let title = plan.title();
    match plan.kind {
        ToolKind::Read { replicated: false } => {
            format!("{title}: reads {method} of the canister and changes nothing.")
        }
        ToolKind::Read { replicated: true } => format!(
            "{title}: reads {method} of the canister and changes nothing. It is sent as an update \
             call, so that the answer is certified; that takes a few seconds."
        ),
        ToolKind::Prepare => describe_prepare(plan, &title, &method),
    }
}

fn describe_prepare(plan: &Plan, title: &str, method: &str) -> String {
    let mut out = format!("Prepare the call \"{title}\" ({method}");
    if let Some(effect) = &plan.effect {
        out.push_str(&format!(", effect: {}", effect.kind));
        out.push_str(if effect.irreversible {
            ", irreversible"
        } else {
            ", reversible"
        });
    }
    out.push_str(
        "). This sends nothing. Write the inputs as a person would; they are converted exactly or \
         refused, never rounded.",
    );
    let filled: Vec<_> = (plan.slots().iter())
        .filter_map(|slot| {
            let name = plain(&slot.exact);
            match slot.role {
                Role::Auto => Some(format!("{name} (left empty)")),
                Role::Stamp => Some(format!(
                    "{name} (a stamp from the canister's clock, set once and kept for every retry)"
                )),
                Role::Param | Role::Hidden | Role::None => None,
            }
        })
        .collect();
    if !filled.is_empty() {
        out.push_str(&format!(" The wallet fills in {}.", filled.join(" and ")));
    }
    if plan.idempotency.is_none() {
        out.push_str(
            " The call has no stamp by which the canister would know a repetition: after an unknown \
             outcome it is never sent again.",
        );
    }
    out.push_str(
        " The answer is a preview_id with the exact arguments; commit asks the person and sends. \
         Preparing the same call again gives the same preview_id while it is open.",
    );
    out
}
