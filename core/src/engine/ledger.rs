//! What a ledger certifies that a person is shown before a yes: fee, balance, code. Read again at
//! the yes; a difference is shown, and the yes is not taken.

use super::Wallet;
use super::canisters::{Basis, for_call};
use super::records::{Canister, Value};
use crate::ids::{AskId, ContentHash, NetworkId, PreviewId, Principal};
use crate::ingress::Path;
use crate::intent::{Event, Intent};
use crate::interface::{IDLValue, Interface};
use crate::ports::Ports;
use crate::time::Timestamp;
use candid::types::Label;
use candid::types::value::IDLField;
use num_bigint::BigUint;

/// What was certified when an ask was shown. Each is `None` where it could not be read, or where
/// the canister has no such method.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct AskFacts {
    /// The fee, in base units.
    pub(super) fee: Option<BigUint>,
    /// How many decimals.
    pub(super) decimals: Option<BigUint>,
    /// The sender's balance, in base units.
    pub(super) balance: Option<BigUint>,
    /// The code that runs.
    pub(super) module: Option<Option<ContentHash>>,
    /// Certified time of the reading.
    pub(super) at: Option<Timestamp>,
}

impl AskFacts {
    /// Whether nothing that decides anything differs in a later reading. A balance that only rose
    /// does not: or whoever sends the sender dust could keep every yes from being taken.
    fn agrees(&self, later: &Self) -> bool {
        let balance = match (&self.balance, &later.balance) {
            (Some(seen), Some(now)) => seen <= now,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.fee == later.fee
            && self.decimals == later.decimals
            && balance
            && self.module == later.module
    }
}

impl AskFacts {
    /// Whether the canister runs other code than the call was prepared with.
    fn runs_other_code(&self, intent: &Intent) -> bool {
        self.module
            .is_some_and(|module| module != intent.prepared().module)
    }
}

impl<P: Ports> Wallet<P> {
    /// An open ask is for other code than it was prepared with: nobody is to say yes to it.
    async fn found_to_differ(&self, preview: PreviewId) {
        // One that takes this no more is on its way, where the code is read once more, or ended.
        if self.tell_intent(&preview, Event::Differs).await.is_ok() {
            self.answer_waiters(&preview).await;
            Box::pin(self.show_asks()).await;
        }
    }

    /// Reads what a person is shown of a call's ledger, certified.
    async fn read_facts(&self, intent: &Intent) -> AskFacts {
        let prepared = intent.prepared();
        let (network, canister) = (prepared.network, prepared.canister);
        let paths = vec![Path::time(), Path::module_hash(canister)];
        let state = self.read_state(&network, canister, paths).await.ok();
        let module = state
            .as_ref()
            .and_then(|state| state.module_hash(canister).ok());
        let mut facts = AskFacts {
            fee: None,
            decimals: None,
            balance: None,
            module,
            at: state.map(|state| state.time()),
        };
        let Ok(Some(tools)) = self.tools_of(Basis::of_call(prepared)).await else {
            return facts;
        };
        let interface = &tools.interface;
        facts.fee = self
            .number(&network, canister, interface, "icrc1_fee")
            .await;
        facts.decimals = self
            .number(&network, canister, interface, "icrc1_decimals")
            .await;
        facts.balance = self
            .balance(&network, canister, interface, &prepared.sender)
            .await;
        facts
    }

    async fn number(
        &self,
        network: &NetworkId,
        canister: Principal,
        interface: &Interface,
        method: &str,
    ) -> Option<BigUint> {
        interface.methods.get(method)?;
        match self
            .read_value(network, canister, interface, method)
            .await
            .ok()?
        {
            Value::Number(digits) => digits.parse().ok(),
            Value::Text(_) => None,
        }
    }

    /// The default account's balance on a ledger, certified.
    pub(super) async fn balance(
        &self,
        network: &NetworkId,
        canister: Principal,
        interface: &Interface,
        owner: &Principal,
    ) -> Option<BigUint> {
        let named = |name: &str, val| IDLField {
            id: Label::Named(name.to_owned()),
            val,
        };
        let account = IDLValue::Record(vec![
            named("owner", IDLValue::Principal(*owner)),
            named("subaccount", IDLValue::None),
        ]);
        let method = "icrc1_balance_of";
        let arg = interface.args(method)?.encode(&[account]).ok()?;
        let reply = self
            .replicated_read(network, canister, method, &arg)
            .await
            .ok()?;
        match interface.results(method)?.decode(&reply).ok()?.as_slice() {
            [IDLValue::Nat(n)] => Some(n.0.clone()),
            _ => None,
        }
    }

    /// Reads what is shown beside an ask, once, and shows it.
    pub(super) async fn read_facts_of(&self, ask: AskId, preview: PreviewId) {
        if !self.memory.borrow_mut().reading.insert(ask) {
            return;
        }
        if let Ok(Some(stored)) = self.intent(&preview).await {
            let facts = self.read_facts(&stored.intent).await;
            let differs = facts.runs_other_code(&stored.intent);
            let counted = self.counts_otherwise(&stored.intent, &facts).await;
            {
                let mut memory = self.memory.borrow_mut();
                if let Some(shown) = counted {
                    memory.changed.insert(ask, shown);
                }
                memory.facts.insert(ask, facts);
            }
            if differs {
                self.found_to_differ(preview).await;
            }
        }
        self.memory.borrow_mut().reading.remove(&ask);
        self.views_changed();
        self.push_views().await;
    }

    /// Reads everything again at the yes. Whether something differs from what the window showed
    /// when it was pressed, in which case the window shows it and nothing is approved.
    pub(super) async fn facts_changed(
        &self,
        ask: AskId,
        intent: &Intent,
        seen: Option<&AskFacts>,
    ) -> bool {
        let now = self.read_facts(intent).await;
        if now.runs_other_code(intent) {
            self.found_to_differ(intent.preview()).await;
            return true;
        }
        let counted = self.counts_otherwise(intent, &now).await;
        let told = self.is_shown_as_told(intent).await;
        let mut memory = self.memory.borrow_mut();
        let same = told && counted.is_none() && seen.is_some_and(|seen| seen.agrees(&now));
        if !same {
            let before = memory.facts.insert(ask, now.clone());
            if let Some(shown) = counted.or(before.filter(|before| !before.agrees(&now))) {
                memory.changed.insert(ask, shown);
            }
            memory.windows.mark_changed();
        }
        !same
    }

    /// What the window shows of a ledger that counts with other decimals now than its amounts are
    /// shown by; `None` where it counts as it was accepted.
    async fn counts_otherwise(&self, intent: &Intent, now: &AskFacts) -> Option<AskFacts> {
        let prepared = intent.prepared();
        let accepted = self
            .accepted_canister(&prepared.network, &prepared.canister)
            .await?;
        let shown = match accepted.values.get("icrc1_decimals")? {
            Value::Number(digits) => digits.parse::<BigUint>().ok(),
            Value::Text(_) => None,
        };
        let differs = now.decimals.is_some() && now.decimals != shown;
        differs.then(|| AskFacts {
            decimals: shown,
            ..now.clone()
        })
    }

    /// Whether the window shows the arguments as the preview told them. They are the same bytes;
    /// but a canister that was accepted anew since may give them another unit.
    async fn is_shown_as_told(&self, intent: &Intent) -> bool {
        let prepared = intent.prepared();
        let Ok(Some(tools)) = self.tools_of(Basis::of_call(prepared)).await else {
            return false;
        };
        let canister = self
            .accepted_canister(&prepared.network, &prepared.canister)
            .await;
        let (Some(plan), Some(canister)) = (tools.plan(prepared), canister) else {
            return false;
        };
        // The digest vouches for the form by which it was told, title, effect and classes too.
        if tools.resolved_hash != prepared.resolved {
            return false;
        }
        let shown = plan.preview(
            prepared.preview,
            &for_call(&canister, prepared),
            &prepared.arg,
        );
        let shown = shown
            .ok()
            .and_then(|shown| serde_json::to_value(shown).ok());
        let told = serde_json::from_slice::<serde_json::Value>(&prepared.shown).ok();
        match (shown, told) {
            (Some(shown), Some(told)) => shown["arguments"] == told["arguments"],
            (None, _) | (_, None) => false,
        }
    }

    /// An ask is over: what was read for it is forgotten.
    pub(super) fn forget_facts(&self, ask: AskId) {
        let mut memory = self.memory.borrow_mut();
        memory.facts.remove(&ask);
        memory.changed.remove(&ask);
        memory.words.remove(&ask);
    }

    /// What a canister of a grant certified, as it was accepted.
    pub(super) async fn accepted_canister(
        &self,
        network: &NetworkId,
        id: &Principal,
    ) -> Option<Canister> {
        let key = Canister::key_of(network, id);
        self.load::<Canister>(&key)
            .await
            .ok()
            .flatten()
            .map(|stored| stored.record)
    }
}
