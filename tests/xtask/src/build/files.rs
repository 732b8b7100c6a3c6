//! The shipped files that are copied as they are: the one place that says which.

use std::path::Path;

use crate::run::{Outcome, fail, files_below, read_bytes, write};
use crate::workspace::Workspace;

/// A folder whose files are shipped: where it is, the endings its files may have, and where they
/// go in the artefact.
struct Shipped {
    from: &'static str,
    endings: &'static [&'static str],
    to: &'static str,
}

const SHIPPED: &[Shipped] = &[
    Shipped {
        from: "extension/js",
        endings: &["js"],
        to: "",
    },
    Shipped {
        from: "extension/icons",
        endings: &["png"],
        to: "icons/",
    },
    Shipped {
        from: "ui/pages",
        endings: &["html", "js"],
        to: "",
    },
    Shipped {
        from: "ui/styles",
        endings: &["css"],
        to: "",
    },
];

/// Copies every shipped file. A file of another kind in one of the folders, or two files of one
/// name, is refused.
pub fn copy(source: &Workspace, folder: &Path) -> Outcome {
    for shipped in SHIPPED {
        let from = source.path(shipped.from);
        for name in files_below(&from)? {
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            if !shipped.endings.contains(&ending) {
                return fail(format!(
                    "{}/{name} is in a folder of shipped files, where only {} belong",
                    shipped.from,
                    shipped.endings.join(", ")
                ));
            }
            let to = folder.join(format!("{}{name}", shipped.to));
            if to.exists() {
                return fail(format!(
                    "{}/{name} would overwrite another shipped file",
                    shipped.from
                ));
            }
            write(&to, read_bytes(&from.join(&name))?)?;
        }
    }
    Ok(())
}
