//! How the bytes of a call are shown where its method has no tool.

use super::{
    super::{names::Names, reader::one_line},
    Layout, Plan, Role, Slot, ToolKind, prefix, source, tool_kind, tuple,
};
use crate::profile::{Node, Resolved, Source};
use std::rc::Rc;

/// How a method is shown, whether or not it has a tool: a plan that asks for nothing.
///
/// It previews bytes and names their positions; it reads no input and classes no reply.
#[must_use]
pub fn plan_for_showing(resolved: &Rc<Resolved>, method: &str) -> Option<Plan> {
    let method = resolved.methods.get(method)?;
    let (intent, effect) = (method.intent.as_ref(), method.effect.as_ref());
    let kind = match tool_kind(method, intent, effect.map(|tagged| &tagged.tag)) {
        Ok(kind) => kind,
        Err(_) if method.mode.is_query() => ToolKind::Read { replicated: false },
        Err(_) => ToolKind::Prepare,
    };
    Some(Plan {
        names: Names::new(prefix(kind == ToolKind::Prepare), &method.name, ""),
        kind,
        title: intent.map_or_else(
            || super::plain(&method.name),
            |tagged| one_line(&tagged.tag),
        ),
        effect: effect.map(|tagged| tagged.tag.clone()),
        idempotency: None,
        params: Vec::new(),
        layout: shown(&method.args),
        classes: Vec::new(),
        default: None,
        built_in: [source(intent), source(effect)]
            .into_iter()
            .flatten()
            .all(|source| source == Source::Pack),
        title_from: source(intent),
        classes_from: None,
        method: method.name.clone(),
        case: None,
        args: Rc::new(tuple(resolved, &method.args)),
        results: Rc::new(tuple(resolved, &method.results)),
        resolved: Rc::clone(resolved),
    })
}

/// Everything was given by whoever made the bytes.
fn shown(arguments: &[Node]) -> Vec<Layout> {
    let slot = |exact: String, node: &Node| {
        Layout::Slot(Slot {
            exact,
            role: Role::Param,
            optional: node.is_opt(),
        })
    };
    let record = match arguments {
        [argument] => super::fields_of(argument),
        _ => None,
    };
    match record {
        Some(fields) => {
            let fields = fields.iter().map(|field| {
                let name = field.name();
                (name.clone(), slot(name, &field.node))
            });
            vec![Layout::Record(fields.collect())]
        }
        None => (arguments.iter().enumerate())
            .map(|(index, node)| slot(format!("arg{index}"), node))
            .collect(),
    }
}
