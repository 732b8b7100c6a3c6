//! The made-up views as a file.

use countersign_core::wire::ui::ToWindow;
use std::collections::BTreeMap;
use std::path::Path;

use super::views;

/// Set to write the file anew instead of comparing: `COUNTERSIGN_WRITE_GOLDEN=1`.
const WRITE: &str = "COUNTERSIGN_WRITE_GOLDEN";

#[test]
fn the_made_up_views_stand_in_the_golden_file() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/views.json");
    let views: BTreeMap<&str, ToWindow> = views::all().into_iter().collect();
    let made = serde_json::to_string_pretty(&views).unwrap() + "\n";
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&file, &made).unwrap();
    }
    let stands = std::fs::read_to_string(&file).unwrap();
    assert!(
        stands == made,
        "golden/views.json differs: set {WRITE}=1 to write it, then read the diff"
    );
}

#[test]
fn every_view_has_a_name_of_its_own() {
    let views = views::all();
    let names: BTreeMap<_, _> = views.iter().map(|(name, _)| (name, ())).collect();
    assert_eq!(names.len(), views.len());
}
