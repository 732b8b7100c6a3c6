//! Accounts of a phrase: one path for the main network, and another for every other network.
//!
//! - Main network: `m/44'/223'/0'/0/i`, as the Internet Computer's other wallets have it (BIP-44
//!   with SLIP-44's coin type 223).
//! - Any other network: `m/44'/223'/h1'/h2'/h3'/h4'/h5'/0/i`, where h1 … h5 are the first 155 bits
//!   of SHA-256 of its root key in five pieces of 31 bits, most significant first.
//!
//! One piece would not be enough: a root key whose hash begins with 31 chosen bits is found in
//! days on one machine, and with h1 = 0 its network would have the main network's keys.

use bip32::{ChildNumber, XPrv};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::key::SecretKey;
use crate::ids::{NetworkId, Principal};
use crate::ingress::RootKey;

/// How many pieces of a network's id are in its path.
const PIECES: u32 = 5;

/// An account: which key of the phrase, on which network, and its principal. Public.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Account {
    /// The one network that the account belongs to.
    pub network: NetworkId,
    /// The last number of its path, from 0.
    pub index: u32,
    /// Its principal on that network.
    pub principal: Principal,
}

/// Why there is no key at this place.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum DeriveError {
    /// The index is not below 2^31.
    #[error("account numbers end at 2147483647")]
    Index,
    /// BIP-32 skips this index (one in 2^127 is).
    #[error("there is no account with this number: take the next")]
    Skipped,
}

/// The path of an account's key, after `m`.
fn path(network: NetworkId, index: u32) -> Result<Vec<ChildNumber>, DeriveError> {
    let hardened =
        |number| ChildNumber::new(number, true).expect("every number here is below 2^31");
    let mut path = vec![hardened(44), hardened(223)];
    if network == RootKey::mainnet_network() {
        path.push(hardened(0));
    } else {
        path.extend((0..PIECES).map(|piece| hardened(bits(network.as_bytes(), piece * 31))));
    }
    path.push(ChildNumber::new(0, false).expect("0 is below 2^31"));
    path.push(ChildNumber::new(index, false).map_err(|_| DeriveError::Index)?);
    Ok(path)
}

/// 31 bits of the bytes, from this bit on.
fn bits(bytes: &[u8; 32], from: u32) -> u32 {
    (from..from + 31).fold(0, |number, bit| {
        let byte = bytes[usize::try_from(bit / 8).expect("a bit of 32 bytes")];
        number << 1 | u32::from(byte >> (7 - bit % 8) & 1)
    })
}

/// The key of an account.
pub(super) fn key(
    seed: &[u8; 64],
    network: NetworkId,
    index: u32,
) -> Result<SecretKey, DeriveError> {
    let mut key = XPrv::new(seed).map_err(|_| DeriveError::Skipped)?;
    for number in path(network, index)? {
        key = key.derive_child(number).map_err(|_| DeriveError::Skipped)?;
    }
    Ok(SecretKey::new(key.private_key().clone()))
}

#[cfg(feature = "testing")]
pub(super) use testing::remembered;

/// Where signatures are simulated, a derived key is kept: to derive it anew for each of a hundred
/// thousand workers takes longer than all that they do.
#[cfg(feature = "testing")]
mod testing {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use super::super::Phrase;
    use super::{DeriveError, NetworkId, SecretKey, key};
    use crate::testing::simulates_signatures;

    type Place = (Vec<u8>, NetworkId, u32);

    thread_local! {
        static KEPT: RefCell<BTreeMap<Place, SecretKey>> = const { RefCell::new(BTreeMap::new()) };
    }

    /// [`key`] of a phrase, derived once where signatures are simulated.
    pub(in super::super) fn remembered<'s>(
        phrase: &Phrase,
        network: NetworkId,
        index: u32,
        seed: impl FnOnce() -> &'s [u8; 64],
    ) -> Result<SecretKey, DeriveError> {
        if !simulates_signatures() {
            return key(seed(), network, index);
        }
        let place = (phrase.entropy().to_vec(), network, index);
        let kept = KEPT.with_borrow(|kept| kept.get(&place).cloned());
        if let Some(key) = kept {
            return Ok(key);
        }
        let key = key(seed(), network, index)?;
        KEPT.with_borrow_mut(|kept| kept.insert(place, key.clone()));
        Ok(key)
    }
}

#[cfg(test)]
mod tests {
    use bip39::Mnemonic;

    use super::*;
    use crate::vault::Phrase;

    const TWELVE: &str = "abandon abandon abandon abandon abandon abandon abandon abandon abandon \
                          abandon abandon about";
    const TWENTY_FOUR: &str = "letter advice cage absurd amount doctor acoustic avoid letter \
                               advice cage absurd amount doctor acoustic avoid letter advice cage \
                               absurd amount doctor acoustic bless";

    fn principal(words: &str, network: NetworkId, index: u32) -> String {
        let (entropy, length) = Mnemonic::parse_normalized(words)
            .unwrap()
            .to_entropy_array();
        let seed = Phrase::from_entropy(&entropy[..length]).unwrap().seed();
        key(&seed, network, index).unwrap().principal().to_text()
    }

    fn path_text(network: NetworkId, index: u32) -> String {
        path(network, index)
            .unwrap()
            .iter()
            .map(|number| format!("/{number}"))
            .collect()
    }

    #[test]
    fn a_main_network_account_is_the_one_other_wallets_have() {
        // From @icp-sdk/core 6.1.0, `Secp256k1KeyIdentity.fromSeedPhrase`.
        let mainnet = RootKey::mainnet_network();
        assert_eq!(
            principal(TWELVE, mainnet, 0),
            "tgzar-4lpln-fq34h-6hxo4-wlm3x-6g3or-6hxvr-d6jbw-ooh2b-lzsw4-aqe"
        );
        assert_eq!(
            principal(TWENTY_FOUR, mainnet, 0),
            "ezp2i-ni7jv-aavni-2ooc7-wpxdn-ck3zp-if6lo-g6wb4-2g63k-2v2xj-sae"
        );
        assert_eq!(path_text(RootKey::mainnet_network(), 3), "/44'/223'/0'/0/3");
    }

    #[test]
    fn another_networks_path_holds_the_first_155_bits_of_its_id() {
        let mut id = [0; 32];
        // 31 bits of one, 31 of zero, 31 of one, …: the boundaries are where they should be.
        for bit in (0..31).chain(62..93).chain(124..155) {
            id[bit / 8] |= 1 << (7 - bit % 8);
        }
        let all = i32::MAX;
        assert_eq!(
            path_text(NetworkId::from_bytes(id), 0),
            format!("/44'/223'/{all}'/0'/{all}'/0'/{all}'/0/0")
        );
        assert_eq!(
            path_text(NetworkId::of_root_key(b"network A"), 1),
            "/44'/223'/1005663904'/1376971073'/982356241'/1714632015'/1264932404'/0/1"
        );
    }

    #[test]
    fn another_networks_accounts_are_those_of_its_path() {
        // The path above, derived by @scure/bip32, and the principal by @icp-sdk/core 6.1.0.
        let network = NetworkId::of_root_key(b"network A");
        assert_eq!(
            principal(TWELVE, network, 0),
            "p5bsy-q6igk-535a5-kj46l-nxb4a-iz6nt-cpitm-mb3sj-2rkb7-omjs7-zae"
        );
        assert_eq!(
            principal(TWELVE, network, 1),
            "4ggsg-frap5-uq74m-i3eit-fsrkr-pbfti-k3smy-yc3gi-yh37u-mim2t-kae"
        );
        assert_eq!(
            principal(TWENTY_FOUR, network, 0),
            "lqny3-klnvv-wbf44-mzavo-pxdqf-aujad-k72tk-3otys-kxt4s-r5jpy-qqe"
        );
    }

    #[test]
    fn a_network_whose_id_begins_with_zeros_does_not_get_the_main_networks_keys() {
        let mut id = [0xff; 32];
        id[..4].fill(0);
        assert_ne!(
            principal(TWELVE, NetworkId::from_bytes(id), 0),
            principal(TWELVE, RootKey::mainnet_network(), 0)
        );
        assert_ne!(
            principal(TWELVE, NetworkId::from_bytes([0; 32]), 0),
            principal(TWELVE, RootKey::mainnet_network(), 0)
        );
    }

    #[test]
    fn account_numbers_end_below_2_to_the_31() {
        let seed = Phrase::from_entropy(&[1; 16]).unwrap().seed();
        let network = RootKey::mainnet_network();
        assert!(key(&seed, network, u32::MAX / 2).is_ok());
        assert_eq!(
            key(&seed, network, u32::MAX / 2 + 1).err(),
            Some(DeriveError::Index)
        );
    }
}
