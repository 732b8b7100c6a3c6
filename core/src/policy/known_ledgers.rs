//! Ledgers on mainnet that the wallet knows by their ids, as of 2026-11-29: which of them execute the
//! same stamped bytes once, and which symbols are theirs alone, on every network; and their minters.
//!
//! To add one: a line in [`LEDGERS`]. `deduplicates` is `true` only where the rule was read in the
//! source of the code that this id runs: what a ledger says of itself is a claim, and `false` costs no
//! more than a question to the person. Lists of other networks are the person's.

use crate::ids::Principal;

/// A ledger that the wallet knows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Known {
    /// Its symbol.
    pub symbol: &'static str,
    /// Its canister id.
    pub id: &'static str,
    /// Whether it is known to execute the same stamped bytes once: it runs the ledger suite's code or
    /// the cycles ledger's.
    deduplicates: bool,
}

const fn known(symbol: &'static str, id: &'static str, deduplicates: bool) -> Known {
    Known {
        symbol,
        id,
        deduplicates,
    }
}

/// The ledgers.
const LEDGERS: &[Known] = &[
    known("ICP", "ryjl3-tyaaa-aaaaa-aaaba-cai", true),
    known("ckBTC", "mxzaz-hqaaa-aaaar-qaada-cai", true),
    known("ckETH", "ss2fx-dyaaa-aaaar-qacoq-cai", true),
    known("ckUSDC", "xevnm-gaaaa-aaaar-qafnq-cai", true),
    known("TCYCLES", "um5iw-rqaaa-aaaaq-qaaba-cai", true),
    known("ckEURC", "pe5t5-diaaa-aaaar-qahwa-cai", false),
    known("ckLINK", "g4tto-rqaaa-aaaar-qageq-cai", false),
    known("ckOCT", "ebo5g-cyaaa-aaaar-qagla-cai", false),
    known("ckPEPE", "etik7-oiaaa-aaaar-qagia-cai", false),
    known("ckSHIB", "fxffn-xiaaa-aaaar-qagoa-cai", false),
    known("ckUNI", "ilzky-ayaaa-aaaar-qahha-cai", false),
    known("ckUSDT", "cngnf-vqaaa-aaaar-qag4q-cai", false),
    known("ckWBTC", "bptq2-faaaa-aaaar-qagxq-cai", false),
    known("ckWSTETH", "j2tuh-yqaaa-aaaar-qahcq-cai", false),
    known("ckXAUT", "nza5v-qaaaa-aaaar-qahzq-cai", false),
    known("CHAT", "2ouva-viaaa-aaaaq-aaamq-cai", false),
    known("DKP", "zfcdd-tqaaa-aaaaq-aaaga-cai", false),
    known("GHOST", "4c4fd-caaaa-aaaaq-aaa3a-cai", false),
    known("HOT", "6rdgd-kyaaa-aaaaq-aaavq-cai", false),
    known("KINIC", "73mez-iiaaa-aaaaq-aaasq-cai", false),
];

/// Canisters that turn what their default account is paid into nothing: minters burn it.
const MINTERS: &[&str] = &[
    "rrkah-fqaaa-aaaaa-aaaaq-cai", // NNS governance, ICP
    "mqygn-kiaaa-aaaar-qaadq-cai", // ckBTC
    "sv3dd-oaaaa-aaaar-qacoa-cai", // ckETH and ckERC20
];

/// Whether this is a known ledger: what is paid to an account of its own is lost.
#[must_use]
pub fn is_ledger(owner: &Principal) -> bool {
    let id = owner.to_text();
    LEDGERS.iter().any(|known| known.id == id)
}

/// All known ledgers and minters: what is paid to their default accounts is lost or burned.
pub fn all() -> impl Iterator<Item = Principal> {
    let ids = LEDGERS.iter().map(|known| known.id);
    let ids = ids.chain(MINTERS.iter().copied());
    ids.map(|id| Principal::from_text(id).expect("a listed id is a principal"))
}

/// Whether a canister on mainnet is known to execute the same stamped bytes once.
#[must_use]
pub fn deduplicates(canister: &Principal) -> bool {
    let id = canister.to_text();
    LEDGERS
        .iter()
        .any(|known| known.deduplicates && known.id == id)
}

/// The known ledger that a canister with this symbol could be taken for, and is not. On every
/// network: what is shown under a known symbol elsewhere is not what a person means by it.
#[must_use]
pub fn looks_like(canister: &Principal, symbol: &str) -> Option<&'static Known> {
    let seen = as_seen(symbol);
    let known = LEDGERS.iter().find(|known| as_seen(known.symbol) == seen)?;
    (known.id != canister.to_text()).then_some(known)
}

/// A symbol as an eye takes it in. Symbols are ASCII, so these are all that look alike.
fn as_seen(symbol: &str) -> String {
    let folded: String = symbol
        .trim_matches('$')
        .chars()
        .filter(|c| !matches!(c, '.' | '-' | '_' | ' '))
        .map(|c| match c.to_ascii_uppercase() {
            '0' => 'O',
            '1' | 'L' | '|' => 'I',
            '5' | '$' => 'S',
            '8' => 'B',
            '2' => 'Z',
            'U' => 'V',
            c => c,
        })
        .collect();
    folded.replace("VV", "W").replace("RN", "M")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_ledger_is_a_canister_id_of_its_own_and_looks_like_no_other() {
        for known in LEDGERS {
            let id = Principal::from_text(known.id).unwrap();
            assert_eq!(id.as_slice().len(), 10);
            assert_eq!(deduplicates(&id), known.deduplicates);
            assert_eq!(looks_like(&id, known.symbol), None, "{}", known.symbol);
        }
        assert!(!deduplicates(&Principal::management_canister()));
    }

    #[test]
    fn ledgers_and_minters_are_told_apart() {
        for id in MINTERS {
            let owner = Principal::from_text(id).unwrap();
            assert_eq!(owner.as_slice().len(), 10);
            assert!(!is_ledger(&owner), "{id}");
        }
        for known in LEDGERS {
            assert!(is_ledger(&Principal::from_text(known.id).unwrap()));
        }
        assert_eq!(all().count(), LEDGERS.len() + MINTERS.len());
    }

    #[test]
    fn a_symbol_that_passes_for_a_known_one_is_told_from_it() {
        let other = Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").unwrap();
        for (symbol, like) in [
            ("ICP", "ICP"),
            ("icp", "ICP"),
            ("1CP", "ICP"),
            ("lCP", "ICP"),
            ("I.C-P", "ICP"),
            ("CKBTC", "ckBTC"),
            ("ck8TC", "ckBTC"),
            ("ckU5DC", "ckUSDC"),
            ("GH05T", "GHOST"),
            ("$ICP", "ICP"),
            ("ICP$", "ICP"),
        ] {
            let found = looks_like(&other, symbol).map(|known| known.symbol);
            let expected = Some(like);
            assert_eq!(found, expected, "{symbol}");
        }
        for symbol in ["TKA", "ICPX", "BTC", "CYCLES", ""] {
            assert_eq!(looks_like(&other, symbol), None, "{symbol}");
        }
    }
}
