//! A call as a person sees it, decoded from its stored bytes.

use super::words::{hashes_of, persons_of, quotes_of, with_hashes};
use crate::confirm::view::{
    AccountLabel, Amount, Argument, Balance, Call, Effect, Fee, Filled, Funds, NetworkLabel, Party,
    Provenance, Quote, Role, ValueKind,
};
use crate::engine::Wallet;
use crate::engine::canisters::{Basis, CanisterTools, for_call, look_alike, standards};
use crate::engine::labels::{account_label, shown_amount, token_of};
use crate::engine::ledger::AskFacts;
use crate::engine::networks::label_of;
use crate::engine::record::RecordError;
use crate::engine::records::{Canister, Network};
use crate::ids::{NetworkId, Principal};
use crate::intent::Intent;
use crate::ports::Ports;
use crate::profile::EffectKind;
use crate::tools::{self, LeafKind};
use num_bigint::BigUint;
use std::rc::Rc;

/// A call, decoded, with what its profile says of its positions.
pub(in crate::engine) struct Decoded {
    pub(in crate::engine) title: String,
    pub(in crate::engine) arguments: Vec<tools::Argument>,
    pub(in crate::engine) kind: Option<EffectKind>,
    pub(in crate::engine) irreversible: bool,
    pub(in crate::engine) to: Option<String>,
    pub(in crate::engine) amount: Option<String>,
    pub(in crate::engine) canister: Canister,
    pub(in crate::engine) built_in: bool,
    pub(in crate::engine) packs: Vec<String>,
    pub(in crate::engine) persons: Vec<String>,
    pub(in crate::engine) quotes: Vec<Quote>,
    /// The interface, where it was pasted.
    pub(in crate::engine) pasted: Option<Rc<CanisterTools>>,
}

impl Decoded {
    pub(in crate::engine) fn line(&self, path: Option<&str>) -> Option<&tools::Argument> {
        let path = path?;
        self.arguments.iter().find(|argument| argument.path == path)
    }

    pub(in crate::engine) fn amount(&self) -> Option<Amount> {
        let text = self.line(self.amount.as_deref())?.text.as_deref()?;
        let (number, unit) = match text.split_once(' ') {
            Some((number, unit)) => (number, unit.to_owned()),
            None => (text, self.canister.id.to_text()),
        };
        Some(Amount {
            number: number.to_owned(),
            unit,
        })
    }

    /// The whole number at a position.
    pub(in crate::engine) fn units(&self, path: Option<&str>) -> Option<BigUint> {
        self.line(path)?.number.as_ref()?.to_biguint()
    }

    /// The fee that the call states: the amount at `fee`, or the only one below it, as the ICP ledger's
    /// `fee.e8s`.
    pub(in crate::engine) fn fee(&self) -> Option<BigUint> {
        let mut fees = self.arguments.iter().filter(|line| {
            let below = line.path.strip_prefix("fee");
            below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
                && line.kind == LeafKind::Amount
        });
        match (fees.next(), fees.next()) {
            (Some(fee), None) => fee.number.as_ref()?.to_biguint(),
            (Some(_) | None, _) => None,
        }
    }

    pub(in crate::engine) fn effect(&self) -> Effect {
        let moves_others = self.line(Some("from")).is_some();
        match self.kind.as_ref().map(EffectKind::as_str) {
            Some("transfer") if moves_others => Effect::TransferFrom,
            Some("transfer") => Effect::Transfer,
            Some("approve") => Effect::Allowance,
            Some(_) | None => Effect::Other,
        }
    }

    /// Whether it moves tokens, or another thing that can be owned.
    pub(in crate::engine) fn moves(&self) -> bool {
        match self.effect() {
            Effect::Transfer | Effect::TransferFrom => true,
            Effect::Allowance | Effect::Other => false,
        }
    }

    pub(in crate::engine) fn party(&self) -> Option<Party> {
        let address = self.line(self.to.as_deref())?.text.clone()?;
        let role = match self.effect() {
            Effect::Allowance => Role::Spender,
            Effect::Transfer | Effect::TransferFrom | Effect::Other => Role::Payee,
        };
        let from = self.line(Some("from")).and_then(|line| line.text.clone());
        Some(Party {
            role,
            address,
            from,
        })
    }
}

impl<P: Ports> Wallet<P> {
    /// A call's arguments, decoded from its stored bytes by the interface it was prepared with.
    pub(in crate::engine) async fn decoded(&self, intent: &Intent) -> Option<Decoded> {
        let prepared = intent.prepared();
        let tools = self.tools_of(Basis::of_call(prepared)).await.ok()??;
        let plan = tools.plan(prepared)?;
        let canister = self
            .accepted_canister(&prepared.network, &prepared.canister)
            .await?;
        let shown = plan
            .decode_for_person(&for_call(&canister, prepared), &prepared.arg)
            .ok()?;
        let (kind, irreversible, to, amount) = match plan.effect() {
            Some(effect) => {
                let grant = effect.grant.as_ref();
                (
                    Some(effect.kind.clone()),
                    effect.irreversible,
                    grant.map(|grant| grant.to.clone()),
                    grant.map(|grant| grant.amount.clone()),
                )
            }
            None => (None, true, None, None),
        };
        Some(Decoded {
            title: shown.title,
            arguments: shown.arguments,
            kind,
            irreversible,
            to,
            amount,
            pasted: prepared.pasted.then(|| Rc::clone(&tools)),
            canister,
            built_in: plan.is_built_in(),
            packs: standards(&tools.resolved),
            persons: persons_of(&tools.resolved, &prepared.method),
            quotes: quotes_of(&tools.resolved, &prepared.method),
        })
    }

    pub(super) async fn call_view(&self, intent: &Intent) -> Result<Option<Call>, RecordError> {
        match self.decoded(intent).await {
            Some(decoded) => self.call_of_decoded(intent, &decoded).await,
            None => Ok(None),
        }
    }

    pub(super) async fn call_of_decoded(
        &self,
        intent: &Intent,
        decoded: &Decoded,
    ) -> Result<Option<Call>, RecordError> {
        let prepared = intent.prepared();
        let Some(network) = self.network(&prepared.network).await? else {
            return Ok(None);
        };
        let sender = self
            .sender_label(&prepared.network, &prepared.sender, &network.record)
            .await?;
        let facts = intent
            .ask()
            .and_then(|ask| self.memory.borrow().facts.get(&ask.id).cloned());
        let token = token_of(&decoded.canister);
        let amount_units = decoded.units(decoded.amount.as_deref());
        let fee_given = decoded.fee();
        let fee_units = fee_given
            .clone()
            .or_else(|| facts.as_ref().and_then(|f| f.fee.clone()));
        let in_token = |units: &BigUint| {
            token
                .as_ref()
                .map(|token| shown_amount(&decoded.canister, token, units))
        };
        let spends = match decoded.effect() {
            Effect::Transfer | Effect::TransferFrom => amount_units.clone(),
            Effect::Allowance | Effect::Other => None,
        };
        let cost = match (&spends, &fee_units) {
            (Some(amount), Some(fee)) => Some(amount + fee),
            (None, Some(fee)) if decoded.effect() == Effect::Allowance => Some(fee.clone()),
            (Some(_) | None, _) => None,
        };
        let read = |facts: &AskFacts| {
            let before = facts.balance.as_ref()?;
            let after = cost
                .as_ref()
                .filter(|cost| *cost <= before)
                .map(|cost| before - cost);
            Some(Balance {
                before: in_token(before)?,
                after: after.as_ref().and_then(in_token),
                short: cost.as_ref().is_some_and(|cost| cost > before),
                at: facts.at?,
            })
        };
        let balance = match &facts {
            None => Funds::Unasked,
            Some(facts) => read(facts).map_or(Funds::Unreadable, Funds::Read),
        };
        let fee = fee_units.as_ref().and_then(in_token).map(|amount| Fee {
            amount,
            by_ledger: fee_given.is_none(),
        });
        let mut provenance: Vec<Provenance> = if decoded.built_in {
            decoded
                .packs
                .iter()
                .map(|pack| Provenance::Pack(pack.clone()))
                .collect()
        } else {
            Vec::new()
        };
        provenance.extend(decoded.persons.iter().cloned().map(Provenance::Person));
        if provenance.is_empty() {
            provenance.push(Provenance::Untagged);
        }
        provenance.push(if prepared.pasted {
            Provenance::PastedInterface
        } else {
            Provenance::CertifiedInterface(decoded.canister.at)
        });
        provenance.push(Provenance::CertifiedValues(decoded.canister.at));
        if let Some(module) = prepared.module {
            provenance.push(Provenance::Module(module));
        }
        let mut arguments: Vec<Argument> = decoded.arguments.iter().map(argument).collect();
        let mut quotes = decoded.quotes.clone();
        if let Some(tools) = &decoded.pasted {
            let about = quotes.iter_mut().filter_map(|quote| quote.about.as_mut());
            let labels = hashes_of(&tools.interface);
            for path in arguments.iter_mut().map(|a| &mut a.path).chain(about) {
                *path = with_hashes(path, &labels);
            }
        }
        Ok(Some(Call {
            quotes,
            effect: decoded.effect(),
            irreversible: decoded.irreversible,
            amount: decoded.amount(),
            party: decoded.party(),
            arguments,
            method: tools::plain(&prepared.method),
            canister: crate::confirm::view::Canister {
                id: prepared.canister.to_text(),
                label: token
                    .as_ref()
                    .and_then(|t| t.symbol())
                    .map(ToString::to_string),
                looks_like: look_alike(&decoded.canister),
            },
            arg_hex: crate::ids::to_hex(&prepared.arg),
            arg_length: prepared.arg.len().to_string(),
            sender,
            balance,
            fee,
            total: match decoded.effect() {
                Effect::Transfer => cost.as_ref().and_then(in_token),
                Effect::Allowance | Effect::TransferFrom | Effect::Other => None,
            },
            provenance,
            title: decoded.title.clone(),
        }))
    }

    pub(super) async fn sender_label(
        &self,
        id: &NetworkId,
        sender: &Principal,
        network: &Network,
    ) -> Result<AccountLabel, RecordError> {
        Ok(match self.account_of(id, sender).await? {
            Some(account) => account_label(&account, network),
            None => AccountLabel {
                id: String::new(),
                name: String::new(),
                address: sender.to_text(),
                network: NetworkLabel {
                    ..label_of(network)
                },
            },
        })
    }
}

pub(super) fn argument(argument: &tools::Argument) -> Argument {
    Argument {
        path: argument.path.clone(),
        text: argument.text.clone(),
        raw: argument.raw.clone(),
        name: argument.name.clone(),
        filled: match (argument.role, &argument.text) {
            (tools::Role::Stamp, _) => Filled::Wallet,
            (tools::Role::Auto, None) => Filled::Canister,
            (_, None) => Filled::Nobody,
            (_, Some(_)) => Filled::Site,
        },
        kind: match argument.kind {
            LeafKind::Address => ValueKind::Address,
            LeafKind::Bytes => ValueKind::Bytes,
            LeafKind::Memo | LeafKind::Text => ValueKind::Quoted,
            LeafKind::Amount | LeafKind::Time | LeafKind::Plain | LeafKind::Func => {
                ValueKind::Plain
            }
        },
    }
}
