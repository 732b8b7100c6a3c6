//! Who may touch the browser, who may touch storage, and what the pages see of core.

use super::source::Source;
use super::{Finding, Tree};
use crate::run::Outcome;

/// Where the browser's extension interfaces may be used.
const PORTS: &[&str] = &["extension/src/ports/", "extension/js/"];
/// Where `chrome.runtime` alone may be used besides.
const BRIDGE: &str = "ui/src/bridge.rs";
/// The rooms of core that pages link.
const SEEN_BY_UI: &[&str] = &["confirm", "ids", "text", "time", "wire"];

/// Interfaces of an extension that are not `runtime`.
const OTHER_INTERFACES: &[&str] = &[
    "action",
    "alarms",
    "cookies",
    "downloads",
    "i18n",
    "identity",
    "idle",
    "notifications",
    "offscreen",
    "permissions",
    "scripting",
    "sidePanel",
    "storage",
    "tabs",
    "webRequest",
    "windows",
];

const STORAGE_WORDS: &[&str] = &[
    "CacheStorage",
    "FileSystemDirectoryHandle",
    "FileSystemFileHandle",
    "IdbDatabase",
    "IdbFactory",
    "IdbObjectStore",
    "IdbTransaction",
    "StorageManager",
    "indexed_db",
    "indexed_db_futures",
    "local_storage",
    "session_storage",
];

const STORAGE_TEXTS: &[&str] = &[
    "indexedDB",
    "localStorage",
    "navigator.storage",
    "sessionStorage",
];

pub fn findings(tree: &Tree, sources: &[Source]) -> Outcome<Vec<Finding>> {
    let mut found = Vec::new();
    for source in sources {
        let file = source.file.as_str();
        let ours = ["core/", "extension/", "ui/"]
            .iter()
            .any(|start| file.starts_with(start));
        if ours && !file.contains("/tests/") && !allowed(file) {
            rust(source, &mut found);
        }
        if file.starts_with("ui/src/") {
            seen_by_ui(source, &mut found);
        }
    }
    for file in tree.files() {
        let script = file.ends_with(".js") || file.ends_with(".html");
        if script && file.starts_with("ui/") {
            page(file, &tree.text(file)?.unwrap_or_default(), &mut found);
        }
    }
    Ok(found)
}

fn allowed(file: &str) -> bool {
    PORTS.iter().any(|start| file.starts_with(start))
}

fn rust(source: &Source, found: &mut Vec<Finding>) {
    let bridge = source.file == BRIDGE;
    let mut broken = |rule, line: usize, says: String| {
        found.push(Finding {
            rule,
            at: format!("{}:{line}", source.file),
            says,
        });
    };
    let storage = "storage is touched only by the worker's ports and scripts";
    for head in &source.heads {
        if head.what == "chrome" && !bridge {
            broken("chrome-in-ports", head.line, chrome_words());
        }
    }
    for word in &source.words {
        if STORAGE_WORDS.contains(&word.what.as_str()) {
            broken(
                "storage-in-ports",
                word.line,
                format!("`{}`: {storage}", word.what),
            );
        }
    }
    for text in &source.texts {
        let names_chrome = text.what == "chrome" || text.what.contains("chrome.");
        if names_chrome && !bridge {
            broken("chrome-in-ports", text.line, chrome_words());
        }
        let other = OTHER_INTERFACES.contains(&text.what.as_str())
            || (text.what.contains("chrome.") && !text.what.contains("chrome.runtime"));
        if bridge && other {
            broken(
                "bridge-runtime-only",
                text.line,
                format!(
                    "`{}`: the pages' bridge may use chrome.runtime only",
                    text.what
                ),
            );
        }
        if STORAGE_TEXTS.iter().any(|name| text.what.contains(name)) {
            broken(
                "storage-in-ports",
                text.line,
                format!("`{}`: {storage}", text.what),
            );
        }
    }
}

fn chrome_words() -> String {
    format!(
        "`chrome` is touched only by {} and {BRIDGE}",
        PORTS.join(", ")
    )
}

fn page(file: &str, text: &str, found: &mut Vec<Finding>) {
    for (number, line) in text.lines().enumerate() {
        let at = format!("{file}:{}", number + 1);
        if line.contains("chrome.") {
            found.push(Finding {
                rule: "chrome-in-ports",
                at: at.clone(),
                says: chrome_words(),
            });
        }
        if STORAGE_TEXTS.iter().any(|name| line.contains(name)) {
            found.push(Finding {
                rule: "storage-in-ports",
                at,
                says: "pages touch no storage".to_owned(),
            });
        }
    }
}

fn seen_by_ui(source: &Source, found: &mut Vec<Finding>) {
    for path in &source.paths {
        let Some(_) = &path.what.other else { continue };
        let room = path.what.segments.first().map_or("", String::as_str);
        if !SEEN_BY_UI.contains(&room) {
            found.push(Finding {
                rule: "ui-sees",
                at: format!("{}:{}", source.file, path.line),
                says: format!(
                    "pages see only views, commands, identifiers and text ({}), not `{room}`",
                    SEEN_BY_UI.join(", ")
                ),
            });
        }
    }
}
