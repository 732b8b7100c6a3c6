//! What a site would have: the tools, exactly as a model will read them, and the methods without one.

use countersign_core::confirm::view::{SkippedMethod, ToolKind, ToolLine};
use leptos::prelude::*;

use crate::parts::plain::{
    block, cells, code, fold, heading, item, list, noted, row, say, table, text,
};
use crate::t;

/// The tools that would result, by what they can do.
pub(super) fn tools(tools: Vec<ToolLine>) -> AnyView {
    let count = tools.len();
    let groups = [
        (ToolKind::Read, t!("connect-tools-read")),
        (ToolKind::Prepare, t!("connect-tools-prepare")),
        (ToolKind::Commit, t!("connect-tools-commit")),
        (ToolKind::Wallet, t!("connect-tools-wallet")),
    ];
    let mut inner = Vec::new();
    for (kind, name) in groups {
        let of_kind = tools.iter().filter(|tool| tool.kind == kind);
        let lines: Vec<_> = of_kind.cloned().map(tool).collect();
        if !lines.is_empty() {
            inner.push(heading(3, name));
            inner.push(list("tools", lines));
        }
    }
    let summary = noted(t!("connect-tools", n = count), t!("connect-tools-note"));
    fold("card fold", true, summary, block("inset", row(inner)))
}

/// A tool, which folds open to its definition.
fn tool(tool: ToolLine) -> AnyView {
    let mut line = vec![code(tool.name.clone())];
    if let Some(title) = tool.title.filter(|title| *title != tool.name) {
        line.push(say(" ".to_owned()));
        line.push(text(title));
    }
    let line = row(line);
    item(match tool.definition {
        Some(definition) => {
            let definition = view! { <pre><bdi>{definition}</bdi></pre> };
            fold("text-fold", false, line, definition.into_any())
        }
        None => line,
    })
}

/// The methods that give no tool, with the reasons.
pub(super) fn skipped(skipped: Vec<SkippedMethod>) -> Option<AnyView> {
    if skipped.is_empty() {
        return None;
    }
    let summary = noted(
        t!("connect-skipped", n = skipped.len()),
        t!("connect-skipped-note"),
    );
    let lines = skipped.into_iter();
    let lines = lines.map(|skip| cells(code(skip.method), text(skip.reason)));
    let table = table("stacked", lines.collect());
    Some(fold("card fold", false, summary, table))
}
