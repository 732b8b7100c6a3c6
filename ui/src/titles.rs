//! Titles of calls in the person's language. The worker gives them in English, as the built-in packs
//! have them; any other title is somebody's own words, and stays as it is.

use countersign_core::wire::ui::Language;

use crate::word;
use crate::words::{Word, say, say_in, spoken};

/// The titles that the packs give to calls that change something.
const TITLES: [Word; 37] = [
    word!("title-send"),
    word!("title-send-to-identifier"),
    word!("title-send-from"),
    word!("title-approve"),
    word!("title-revoke"),
    word!("title-send-nft"),
    word!("title-send-nft-from"),
    word!("title-revoke-nft"),
    word!("title-revoke-collection"),
    word!("title-credit-bitcoin"),
    word!("title-withdraw-bitcoin"),
    word!("title-withdraw-bitcoin-from"),
    word!("title-withdraw-ether"),
    word!("title-withdraw-erc20"),
    word!("title-cycles"),
    word!("title-cycles-from"),
    word!("title-canister-create"),
    word!("title-canister-create-from"),
    word!("title-canister-start"),
    word!("title-canister-stop"),
    word!("title-canister-delete"),
    word!("title-canister-uninstall"),
    word!("title-vote"),
    word!("title-follow-topic"),
    word!("title-follow-topics"),
    word!("title-follow-function"),
    word!("title-neuron-configure"),
    word!("title-neuron-split"),
    word!("title-neuron-merge"),
    word!("title-neuron-spawn"),
    word!("title-stake-maturity"),
    word!("title-neuron-disburse"),
    word!("title-disburse-maturity"),
    word!("title-neuron-claim"),
    word!("title-neuron-refresh"),
    word!("title-neuron-permit"),
    word!("title-neuron-unpermit"),
];

/// The title of a call, in the language that is spoken now.
pub(crate) fn title(english: String) -> String {
    if spoken() == Language::English {
        return english;
    }
    let known = TITLES
        .into_iter()
        .find(|word| say_in(Language::English, *word, &[]) == english);
    known.map_or(english, |word| say(word, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::speak;
    use serde_json::Value;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Gathers the titles of what has an effect and does not only read.
    fn gather(value: &Value, titles: &mut BTreeSet<String>) {
        if let (Some(intent), Some(kind)) = (
            value.get("intent").and_then(Value::as_str),
            value.pointer("/effect/kind").and_then(Value::as_str),
        ) && kind != "read"
        {
            titles.insert(intent.to_owned());
        }
        match value {
            Value::Object(fields) => fields.values().for_each(|value| gather(value, titles)),
            Value::Array(values) => values.iter().for_each(|value| gather(value, titles)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// The titles of the packs' calls that change something.
    fn of_packs() -> BTreeSet<String> {
        let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src/profile/packs");
        let mut titles = BTreeSet::new();
        for entry in std::fs::read_dir(packs).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                let text = std::fs::read_to_string(path).unwrap();
                gather(&serde_json::from_str(&text).unwrap(), &mut titles);
            }
        }
        titles
    }

    #[test]
    fn every_title_of_a_pack_is_said_in_every_language() {
        let known: BTreeSet<_> = TITLES
            .into_iter()
            .map(|word| say_in(Language::English, word, &[]))
            .collect();
        assert_eq!(known, of_packs());
    }

    #[test]
    fn a_title_of_a_pack_is_translated_and_no_other() {
        let send = || "Send tokens".to_owned();
        assert_eq!(title(send()), send());
        speak(Language::SimplifiedChinese);
        assert_eq!(title(send()), "发送代币");
        assert_eq!(title("update_settings".into()), "update_settings");
        assert_eq!(title("Send Tokens".into()), "Send Tokens");
    }
}
