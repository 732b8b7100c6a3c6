//! The vault sealed, opened, resumed and used.

use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization as _;

use super::*;
use crate::ids::{Principal, to_hex};
use crate::ingress::{CallRequest, Path, QueryRequest, ReadStateRequest, RootKey};
use crate::time::Timestamp;
use crate::vault::{SessionEntropy, SessionHalf, SessionSeal};

const PASSPHRASE: &str = "correct horse";
const HERE: InstallationId = InstallationId::from_bytes([0x11; 16]);
const ELSEWHERE: InstallationId = InstallationId::from_bytes([0x22; 16]);

fn entropy(byte: u8) -> SealEntropy {
    SealEntropy {
        salt: [byte; 16],
        key_nonce: [byte + 1; 24],
        phrase_nonce: [byte + 2; 24],
    }
}

fn typed(passphrase: &str) -> Passphrase {
    Passphrase::new(passphrase, |typed| typed.nfkd().collect())
}

const KEY: [u8; 32] = [6; 32];

/// A vault, sealed and open. Made once: stretching a passphrase is slow by design.
fn create() -> (SealedVault, OpenVault) {
    static SEALED: OnceLock<SealedVault> = OnceLock::new();
    let sealed = SEALED.get_or_init(|| {
        let phrase = Phrase::from_entropy(&[5; 16]).unwrap();
        SealedVault::create(
            phrase,
            &typed(PASSPHRASE),
            Cost::FLOOR,
            HERE,
            3,
            KEY,
            &entropy(7),
        )
        .unwrap()
        .0
    });
    let open = sealed.open_with(Zeroizing::new(KEY)).unwrap();
    (sealed.clone(), open)
}

fn is_the_same(a: &OpenVault, b: &OpenVault) -> bool {
    a.key == b.key && a.phrase.entropy() == b.phrase.entropy()
}

fn refused(sealed: &SealedVault, passphrase: &str) -> OpenError {
    match sealed.open(&typed(passphrase)) {
        Ok(_) => panic!("it opened"),
        Err(error) => error,
    }
}

#[test]
fn a_vault_opens_with_its_passphrase_and_no_other() {
    let (sealed, open) = create();
    assert!(is_the_same(
        &sealed.open(&typed(PASSPHRASE)).unwrap(),
        &open
    ));
    assert_eq!(refused(&sealed, "correct horsf"), OpenError::Passphrase);
}

#[test]
fn a_passphrase_is_the_same_however_its_accents_are_typed() {
    let (_, open) = create();
    let sealed = open
        .seal(
            &typed("caf\u{e9} caf\u{e9}"),
            Cost::FLOOR,
            HERE,
            3,
            &entropy(7),
        )
        .unwrap();
    assert!(sealed.open(&typed("cafe\u{301} cafe\u{301}")).is_ok());
    assert_eq!(refused(&sealed, "cafe cafe"), OpenError::Passphrase);
}

#[test]
fn a_short_passphrase_is_refused() {
    let (_, open) = create();
    let seal = |passphrase| open.seal(&typed(passphrase), Cost::FLOOR, HERE, 3, &entropy(7));
    assert_eq!(seal("1234567"), Err(PassphraseError::TooShort));
    assert_eq!(seal("ééééééé"), Err(PassphraseError::TooShort));
    assert!(seal("12345678").is_ok());
}

#[test]
fn a_sealed_vault_has_this_stored_form() {
    let (sealed, _) = create();
    assert_eq!(
        to_hex(&sealed.to_bytes()),
        concat!(
            "a76176016c696e7374616c6c6174696f6e782031313131313131313131313131313131313131",
            "313131313131313131313131316565706f63680364636f7374a36a6d656d6f72795f6b69621a",
            "000100006670617373657303656c616e6573016473616c745007070707070707070707070707",
            "070707636b6579a2656e6f6e6365581808080808080808080808080808080808080808080808",
            "08086562797465735830f86af7c2343ec3a33296d3b9d5e473b9d71bb48ecc43f78488899570",
            "579b2fec4dcfb6befb74a9dac6fbb7c758c9261d66706872617365a2656e6f6e636558180909",
            "090909090909090909090909090909090909090909096562797465735820853e87474f7ba4d7",
            "bfeadf2c8a7812b6b832310ea589a9cfaa71ebc8ac5edb51",
        )
    );
}

#[test]
fn a_stored_vault_reads_back() {
    let (sealed, open) = create();
    let read = SealedVault::from_bytes(&sealed.to_bytes()).unwrap();
    assert_eq!(read, sealed);
    assert_eq!((read.installation(), read.epoch()), (HERE, 3));
    assert!(is_the_same(&read.open(&typed(PASSPHRASE)).unwrap(), &open));
}

#[test]
fn a_vault_from_a_newer_wallet_is_refused_as_such() {
    let (mut sealed, _) = create();
    sealed.v = FORM + 1;
    assert_eq!(
        SealedVault::from_bytes(&sealed.to_bytes()),
        Err(OpenError::Newer)
    );
    assert_eq!(SealedVault::from_bytes(b""), Err(OpenError::Unreadable));
    assert_eq!(SealedVault::from_bytes(b"\xa0"), Err(OpenError::Unreadable));
}

#[test]
fn a_cost_below_the_floor_is_neither_written_nor_read() {
    let (sealed, open) = create();
    let floor = Cost::FLOOR;
    for cost in [
        Cost {
            memory_kib: floor.memory_kib - 1,
            ..floor
        },
        Cost {
            passes: floor.passes - 1,
            ..floor
        },
        Cost { lanes: 0, ..floor },
        Cost {
            memory_kib: u32::MAX,
            ..floor
        },
        Cost {
            passes: u32::MAX,
            ..floor
        },
        Cost {
            lanes: u32::MAX,
            ..floor
        },
    ] {
        assert_eq!(
            open.seal(&typed(PASSPHRASE), cost, HERE, 3, &entropy(7)),
            Err(PassphraseError::Cost)
        );
        let mut changed = sealed.clone();
        changed.cost = cost;
        assert_eq!(
            SealedVault::from_bytes(&changed.to_bytes()),
            Err(OpenError::Cost)
        );
        assert_eq!(refused(&changed, PASSPHRASE), OpenError::Cost);
    }
}

#[test]
fn nothing_of_a_stored_vault_can_be_changed() {
    let (sealed, _) = create();
    let mut dearer = sealed.clone();
    dearer.cost.passes += 1;
    assert_eq!(refused(&dearer, PASSPHRASE), OpenError::Passphrase);
    let mut salted = sealed.clone();
    salted.salt[0] ^= 1;
    assert_eq!(refused(&salted, PASSPHRASE), OpenError::Passphrase);
    let mut moved = sealed.clone();
    moved.installation = ELSEWHERE;
    assert_eq!(refused(&moved, PASSPHRASE), OpenError::Passphrase);
    let mut later = sealed.clone();
    later.epoch += 1;
    assert_eq!(refused(&later, PASSPHRASE), OpenError::Passphrase);
    // Another phrase under the same passphrase: the vault's key does not open it.
    let mut swapped = sealed;
    swapped.phrase = Sealed::seal(
        &Zeroizing::new([9; 32]),
        [0; 24],
        &[9; 16],
        &phrase_belongs_to(HERE, 3),
    );
    assert_eq!(refused(&swapped, PASSPHRASE), OpenError::Unreadable);
}

#[test]
fn a_vault_sealed_anew_opens_with_the_new_passphrase_only() {
    let (_, open) = create();
    let dearer = Cost {
        passes: Cost::FLOOR.passes + 1,
        ..Cost::FLOOR
    };
    let sealed = open
        .seal(&typed("battery staple"), dearer, ELSEWHERE, 0, &entropy(70))
        .unwrap();
    assert_eq!(sealed.cost(), dearer);
    assert!(is_the_same(
        &sealed.open(&typed("battery staple")).unwrap(),
        &open
    ));
    assert_eq!(refused(&sealed, PASSPHRASE), OpenError::Passphrase);
}

fn session(open: &OpenVault, sealed: &SealedVault, byte: u8) -> (SessionHalf, SessionSeal) {
    open.begin_session(
        sealed,
        SessionEntropy {
            half: [byte; 32],
            nonce: [byte; 24],
        },
    )
}

#[test]
fn a_session_opens_the_vault_with_both_halves() {
    let (sealed, open) = create();
    let (half, seal) = session(&open, &sealed, 8);
    let half = SessionHalf::from_bytes(half.as_bytes()).unwrap();
    let seal = SessionSeal::from_bytes(&seal.to_bytes()).unwrap();
    assert!(is_the_same(
        &sealed.resume_session(&half, &seal).unwrap(),
        &open
    ));
}

#[test]
fn halves_of_two_sessions_or_vaults_open_nothing() {
    let (sealed, open) = create();
    let (half, seal) = session(&open, &sealed, 8);
    let (other_half, other_seal) = session(&open, &sealed, 9);
    let refused = |vault: &SealedVault, half, seal| vault.resume_session(half, seal).err();
    assert_eq!(
        refused(&sealed, &half, &other_seal),
        Some(OpenError::Session)
    );
    assert_eq!(
        refused(&sealed, &other_half, &seal),
        Some(OpenError::Session)
    );
    let elsewhere = open
        .seal(&typed(PASSPHRASE), Cost::FLOOR, ELSEWHERE, 3, &entropy(7))
        .unwrap();
    assert_eq!(refused(&elsewhere, &half, &seal), Some(OpenError::Session));
    assert!(SessionHalf::from_bytes(&[0; 31]).is_err());
    assert_eq!(
        SessionSeal::from_bytes(b"\xa1\x61v\x02"),
        Err(OpenError::Newer)
    );
    assert_eq!(SessionSeal::from_bytes(b"?"), Err(OpenError::Session));
}

#[test]
fn neither_half_of_a_session_holds_the_key_or_the_phrase() {
    let (sealed, open) = create();
    let (half, seal) = session(&open, &sealed, 8);
    for kept in [half.as_bytes().to_vec(), seal.to_bytes()] {
        for secret in [&open.key[..], open.phrase.entropy()] {
            assert!(!kept.windows(secret.len()).any(|window| window == secret));
        }
    }
}

fn network(name: &str) -> NetworkId {
    NetworkId::of_root_key(name.as_bytes())
}

#[test]
fn an_account_signs_on_its_own_network_only() {
    let (_, open) = create();
    let (here, there) = (network("A"), network("B"));
    let account = open.account(here, 0).unwrap();
    assert_eq!(
        open.signer(account, there).err(),
        Some(SignError::OtherNetwork)
    );

    let signer = open.signer(account, here).unwrap();
    let now = Timestamp::from_nanos(1);
    let call = CallRequest {
        canister: Principal::management_canister(),
        method: "m".to_owned(),
        arg: vec![],
        sender: account.principal,
        ingress_expiry: now,
        nonce: None,
    };
    let query = QueryRequest {
        canister: call.canister,
        method: "m".to_owned(),
        arg: vec![],
        sender: account.principal,
        ingress_expiry: now,
        nonce: None,
    };
    let read = ReadStateRequest {
        paths: vec![Path::time()],
        sender: account.principal,
        ingress_expiry: now,
    };
    assert!(signer.call(here, &call, now).is_ok());
    assert!(signer.query(here, &query).is_ok());
    assert!(signer.read_state(here, &read).is_ok());
    let refused = Some(SignError::OtherNetwork);
    assert_eq!(signer.call(there, &call, now).err(), refused);
    assert_eq!(signer.query(there, &query).err(), refused);
    assert_eq!(signer.read_state(there, &read).err(), refused);

    let other = open.account(here, 1).unwrap();
    let not_ours = CallRequest {
        sender: other.principal,
        ..call
    };
    assert_eq!(
        signer.call(here, &not_ours, now).err(),
        Some(SignError::OtherSender)
    );
}

#[test]
fn an_account_of_another_vault_is_refused() {
    let (_, open) = create();
    let here = RootKey::mainnet_network();
    let mut account = open.account(here, 0).unwrap();
    account.index = 1;
    assert_eq!(
        open.signer(account, here).err(),
        Some(SignError::OtherVault)
    );
    account.index = u32::MAX;
    assert_eq!(
        open.signer(account, here).err(),
        Some(SignError::OtherVault)
    );
}

#[test]
fn networks_share_no_principal() {
    let (_, open) = create();
    let mut principals: Vec<Principal> = [RootKey::mainnet_network(), network("A"), network("B")]
        .into_iter()
        .flat_map(|network| (0..3).map(move |index| (network, index)))
        .map(|(network, index)| open.account(network, index).unwrap().principal)
        .collect();
    principals.sort_unstable();
    principals.dedup();
    assert_eq!(principals.len(), 9);
}
