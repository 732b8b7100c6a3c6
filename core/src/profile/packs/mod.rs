//! The built-in profiles, compiled in: one document a standard or a kind of canister, in the file of
//! its name. `candid-profile resolve FILE.did --packs` says of each tag which document it is from.
//!
//! A pack is a profile document like a person's and has no code of its own. Each is general: it
//! applies method by method, wherever an interface has the standard's method.
//!
//! To add one: its JSON here (the tags are those of `profile::tags`), its line in [`PACKS`], whose
//! order is the order of merging, and a test on an interface that has the standard. Beware: a
//! change in a pack changes the hash of the resolved form of every canister it applies to, and
//! each connected site loses that canister's tools until the person has accepted them again.

use super::document::Document;

/// The documents, in the order in which they are merged.
const PACKS: [&str; 16] = [
    include_str!("icrc-1.json"),
    include_str!("icrc-2.json"),
    include_str!("icrc-3.json"),
    include_str!("icrc-10.json"),
    include_str!("icrc-21.json"),
    include_str!("icrc-103.json"),
    include_str!("icrc-106.json"),
    include_str!("icrc-7.json"),
    include_str!("icrc-37.json"),
    include_str!("icp-ledger.json"),
    include_str!("cycles-ledger.json"),
    include_str!("ckbtc-minter.json"),
    include_str!("cketh-minter.json"),
    include_str!("nns-governance.json"),
    include_str!("sns-governance.json"),
    include_str!("management.json"),
];

/// Every built-in profile.
#[must_use]
pub fn all() -> Vec<Document> {
    PACKS
        .iter()
        .map(|json| Document::parse(json).expect("every built-in profile reads: a test does so"))
        .collect()
}
