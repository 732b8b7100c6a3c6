//! Answers as people read them.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ids::to_hex;
use crate::profile::Class;
use crate::text::escaped;
use crate::tools::{Canister, Decoded, Plan};

/// How wide text is.
const WIDTH: usize = 100;

/// JSON as a text of its own.
pub(super) fn json_text(value: &Value) -> String {
    format!("{value:#}\n")
}

/// `1 error`, `2 errors`.
pub(super) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Tools as a model reads them, and the methods without.
pub(super) fn tools(definitions: &[Value], methods: usize, notes: &str, skipped: usize) -> String {
    let mut out = String::new();
    for definition in definitions {
        out.push_str(&tool(definition));
        out.push('\n');
    }
    if skipped > 0 {
        out.push_str(notes);
        out.push('\n');
    }
    out.push_str(&format!(
        "{} of {}; {skipped} skipped\n",
        counted(definitions.len(), "tool"),
        counted(methods, "method"),
    ));
    out
}

fn tool(definition: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out = format!("{}\n", text(&definition["name"]));
    out.push_str(&wrapped("", 4, &text(&definition["description"])));
    let schema = &definition["inputSchema"];
    let required: Vec<_> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    for (name, input) in schema["properties"].as_object().into_iter().flatten() {
        let asked = required.iter().any(|required| *required == name);
        let mark = if asked { "*" } else { " " };
        out.push_str(&wrapped(
            &format!("  {mark} {name}  "),
            8,
            &text(&input["description"]),
        ));
    }
    out
}

/// A text in lines, the first after `head`, the others indented.
fn wrapped(head: &str, indent: usize, text: &str) -> String {
    let mut out = String::new();
    let mut line = if head.is_empty() {
        " ".repeat(indent)
    } else {
        head.to_owned()
    };
    let mut fresh = true;
    for word in text.split(' ') {
        let width = line.chars().count() + 1 + word.chars().count();
        if !fresh && width > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(indent);
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(word);
        fresh = false;
    }
    out + line.trim_end() + "\n"
}

/// A call as a person sees it.
pub(super) fn preview(plan: &Plan, canister: &Canister, decoded: &Decoded, arg: &[u8]) -> String {
    let mut out = format!("{}\n", decoded.title);
    let effect = plan.effect().map_or_else(String::new, |effect| {
        let back = if effect.irreversible {
            "irreversible"
        } else {
            "reversible"
        };
        format!(", {}, {back}", effect.kind)
    });
    let name = canister
        .label()
        .map_or_else(String::new, |label| format!(" ({label})"));
    let method = escaped(plan.method());
    out.push_str(&format!("{method} of {}{name}{effect}\n\n", canister.id));
    let widest = decoded
        .arguments
        .iter()
        .map(|a| a.path.chars().count())
        .max();
    let widest = widest.unwrap_or_default();
    for argument in &decoded.arguments {
        let text = argument.text.as_deref().unwrap_or("–");
        let space = " ".repeat(widest - argument.path.chars().count());
        out.push_str(&format!("  {}{space}  {text}\n", argument.path));
        if argument.text.is_some() && argument.raw != text {
            out.push_str(&format!("  {}  {}\n", " ".repeat(widest), argument.raw));
        }
    }
    if decoded.arguments.is_empty() {
        out.push_str("  no arguments\n");
    }
    out + &format!("\n  arg_hex  {}\n", to_hex(arg))
}

/// What makes two calls the same wish.
pub(super) fn identity(identity: &BTreeMap<String, String>) -> String {
    let mut out = String::from("\n  the same wish is one with the same\n");
    for (path, value) in identity {
        out.push_str(&format!("    {path} = {value}\n"));
    }
    if identity.is_empty() {
        return String::new();
    }
    out
}

/// The class of a reply.
pub(super) fn class(class: Option<Class>, case: Option<&str>, details: &Value) -> String {
    let word = class.map_or("a read has no class", Class::as_str);
    let case = case.map_or_else(String::new, |case| format!(" ({case})"));
    format!("{word}{case}\n{details:#}\n")
}
