//! A ledger as the ICP ledger was before ICRC-1: `transfer` to account identifiers, with a fee that the
//! caller states, and a duplicate told by the block of the first.

use candid::{CandidType, Decode, Deserialize, Encode, Nat, Principal};
use countersign_core::format::account::Account;
use countersign_core::format::account_id::{self, AccountId};
use countersign_core::profile::Document;
use countersign_localnet::canisters::{Call, Canister};
use countersign_localnet::network::Reject;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

const CANDID: &str = "
    type Tokens = record { e8s : nat64 };
    type Account = record { owner : principal; subaccount : opt blob };
    service : {
        transfer : (record {
            memo : nat64; amount : Tokens; fee : Tokens; from_subaccount : opt blob; to : blob;
            created_at_time : opt record { timestamp_nanos : nat64 }
        }) -> (variant {
            Ok : nat64;
            Err : variant {
                BadFee : record { expected_fee : Tokens };
                InsufficientFunds : record { balance : Tokens };
                TxTooOld : record { allowed_window_nanos : nat64 }; TxCreatedInFuture;
                TxDuplicate : record { duplicate_of : nat64 }
            }
        });
        people : () -> (vec record { name : text; id : blob }) query;
        icrc1_symbol : () -> (text) query;
        icrc1_name : () -> (text) query;
        icrc1_decimals : () -> (nat8) query;
        icrc1_fee : () -> (nat) query;
        icrc1_balance_of : (Account) -> (nat) query;
    }";

/// What a transfer costs, in base units.
const FEE: u64 = 10_000;
/// How long a transfer is remembered, in nanoseconds.
const WINDOW: u64 = 86_400_000_000_000;
/// How far ahead a stamp may be, in nanoseconds.
const DRIFT: u64 = 60_000_000_000;

/// The ledger, in the hands of a scenario.
#[derive(Clone, Default)]
pub struct Icp(Arc<Mutex<State>>);

#[derive(Clone, Default)]
struct State {
    balances: BTreeMap<[u8; 32], u64>,
    /// Who sent what, in the order of the blocks.
    log: Vec<(Principal, Transfer)>,
    people: Vec<Named>,
    /// How many transfers more are told to be of the future.
    behind: u32,
}

/// The argument of `transfer`.
#[derive(CandidType, Clone, Debug, Deserialize, PartialEq)]
pub struct Transfer {
    /// A number of the payer's.
    pub memo: u64,
    /// How much.
    pub amount: Tokens,
    /// The fee, which must be the ledger's.
    pub fee: Tokens,
    /// The payer's subaccount.
    pub from_subaccount: Option<[u8; 32]>,
    /// The payee's account identifier.
    pub to: [u8; 32],
    /// The stamp.
    pub created_at_time: Option<Stamp>,
}

/// An amount in base units.
#[derive(CandidType, Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct Tokens {
    /// Base units.
    pub e8s: u64,
}

/// A point in time.
#[derive(CandidType, Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct Stamp {
    /// Nanoseconds since 1970.
    pub timestamp_nanos: u64,
}

#[derive(CandidType)]
enum Done {
    Ok(u64),
    Err(TransferError),
}

#[derive(CandidType)]
enum TransferError {
    BadFee { expected_fee: Tokens },
    InsufficientFunds { balance: Tokens },
    TxTooOld { allowed_window_nanos: u64 },
    TxCreatedInFuture,
    TxDuplicate { duplicate_of: u64 },
}

#[derive(CandidType, Deserialize)]
struct Owner {
    owner: Principal,
    subaccount: Option<Vec<u8>>,
}

#[derive(CandidType, Clone)]
struct Named {
    name: String,
    id: [u8; 32],
}

impl Icp {
    /// The ledger's id.
    #[must_use]
    pub fn id() -> Principal {
        Principal::from_slice(&[0x80, 0, 0, 0, 0, 0x10, 0, 10, 1, 1])
    }

    /// The identifier of a principal's default account.
    #[must_use]
    pub fn identifier(of: Principal) -> String {
        account_id::show(&AccountId::of(&Account::new(of, None)))
    }

    /// Gives tokens.
    pub fn mint(&self, to: Principal, units: u64) {
        *self.state().balances.entry(key(to)).or_default() += units;
    }

    /// A profile by which the people that the ledger lists can be paid by their names.
    ///
    /// # Panics
    ///
    /// Where it is not of the format.
    #[must_use]
    pub fn profile_with_names() -> Document {
        let profile = r#"{
            "format": "candid-profile", "format_version": 0, "name": "people",
            "methods": {
                "people": { "names": { "person": {
                    "list": "(0)", "value": "(0)[].id", "label": "(0)[].name"
                } } },
                "transfer": { "at": { "to": { "named": "person" } } }
            }
        }"#;
        Document::parse(profile).expect("the profile is of the format")
    }

    /// Lists these people from now on.
    pub fn lists(&self, people: &[(&str, Principal)]) {
        let named = people.iter().map(|(name, id)| Named {
            name: (*name).to_owned(),
            id: key(*id),
        });
        self.state().people = named.collect();
    }

    /// Takes the next transfers for those of the future.
    pub fn falls_behind(&self, transfers: u32) {
        self.state().behind = transfers;
    }

    /// Everything that was transferred, with who paid.
    #[must_use]
    pub fn transfers(&self) -> Vec<(Principal, Transfer)> {
        self.state().log.clone()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn transfer(&self, call: &Call<'_>, given: Transfer) -> Result<u64, TransferError> {
        let mut state = self.state();
        let payer = key(call.caller);
        let balance = state.balances.get(&payer).copied().unwrap_or_default();
        if given.fee.e8s != FEE {
            let expected_fee = Tokens { e8s: FEE };
            return Err(TransferError::BadFee { expected_fee });
        }
        if let Some(Stamp { timestamp_nanos }) = given.created_at_time {
            if timestamp_nanos + WINDOW + DRIFT < call.now {
                let allowed_window_nanos = WINDOW;
                return Err(TransferError::TxTooOld {
                    allowed_window_nanos,
                });
            }
            if timestamp_nanos > call.now + DRIFT || state.behind > 0 {
                state.behind = state.behind.saturating_sub(1);
                return Err(TransferError::TxCreatedInFuture);
            }
            let sent = (call.caller, given.clone());
            if let Some(block) = state.log.iter().position(|before| *before == sent) {
                let duplicate_of = block as u64;
                return Err(TransferError::TxDuplicate { duplicate_of });
            }
        }
        let cost = given.amount.e8s.saturating_add(FEE);
        let Some(left) = balance.checked_sub(cost) else {
            let balance = Tokens { e8s: balance };
            return Err(TransferError::InsufficientFunds { balance });
        };
        state.balances.insert(payer, left);
        *state.balances.entry(given.to).or_default() += given.amount.e8s;
        state.log.push((call.caller, given));
        Ok(state.log.len() as u64 - 1)
    }

    fn read(&self, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        let reply = match method {
            "people" => Encode!(&self.state().people),
            "icrc1_symbol" => Encode!(&"ICX"),
            "icrc1_name" => Encode!(&"Older tokens"),
            "icrc1_decimals" => Encode!(&8_u8),
            "icrc1_fee" => Encode!(&Nat::from(FEE)),
            "icrc1_balance_of" => {
                let account = Decode!(arg, Owner).map_err(|_| Reject::trap("no account"))?;
                let whole = account.subaccount.is_none_or(|s| s.iter().all(|b| *b == 0));
                let of = whole.then(|| key(account.owner));
                let balances = &self.state().balances;
                let balance = of.and_then(|of| balances.get(&of).copied());
                Encode!(&Nat::from(balance.unwrap_or_default()))
            }
            _ => return Err(Reject::trap("there is no such method")),
        };
        Ok(reply.expect("the reply is Candid"))
    }
}

/// The key of a principal's default account.
fn key(of: Principal) -> [u8; 32] {
    *AccountId::of(&Account::new(of, None)).as_bytes()
}

impl Canister for Icp {
    fn id(&self) -> Principal {
        Self::id()
    }

    fn fork(&self) -> Box<dyn Canister> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Box::new(Self(Arc::new(Mutex::new(state.clone()))))
    }

    fn candid(&self) -> Option<String> {
        Some(CANDID.to_owned())
    }

    fn module_hash(&self) -> [u8; 32] {
        [10; 32]
    }

    fn certified_data(&self) -> Vec<u8> {
        Vec::new()
    }

    fn query(&self, _: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        self.read(method, arg)
    }

    fn update(&mut self, call: &Call<'_>, method: &str, arg: &[u8]) -> Result<Vec<u8>, Reject> {
        if method != "transfer" {
            return self.read(method, arg);
        }
        let given = Decode!(arg, Transfer).map_err(|_| Reject::trap("no transfer"))?;
        let done = match self.transfer(call, given) {
            Ok(block) => Done::Ok(block),
            Err(error) => Done::Err(error),
        };
        Ok(Encode!(&done).expect("the reply is Candid"))
    }
}
