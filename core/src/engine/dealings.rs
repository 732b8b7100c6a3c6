//! What is known of earlier dealings, and the findings beside an ask that follow from it. What was
//! done is kept as intents go on, in the same transaction. Of what others wrote, addresses are kept,
//! where the journal takes them, before a site is handed the text. Nothing here stops or
//! settles a call.

use super::Wallet;
use super::canisters::look_alike;
use super::labels::{shown_amount, token_of};
use super::ledger::AskFacts;
use super::record::{self, Record, RecordError, Stored};
use super::records::{Dealing, Heard, LastCall, Payment, Usual};
use super::views::Decoded;
use crate::confirm::consent::ConsentView;
use crate::confirm::consent::compare::Ours;
use crate::confirm::risk::rules::{self, Earlier, Facts, OpenTwin, Payee, findings};
use crate::confirm::risk::{Finding, Place};
use crate::confirm::view::{Effect, LastTime, LastValue};
use crate::format::account_id;
use crate::intent::{Ask, Envelope, Intent};
use crate::ports::store::{Query, Store as _, Write};
use crate::ports::{Clock as _, Ports};
use crate::time::Timestamp;
use crate::tools::{LeafKind, Role};
use num_bigint::BigUint;
use serde_json::{Map, Value as Json};

/// How often what a site was handed is tried to be kept.
const TRIES: usize = 8;

/// What a person is told beside an ask.
pub(super) struct Background {
    /// What may be wrong.
    pub(super) findings: Vec<Finding>,
    /// What differs from the last approved call of the same site, method and payee.
    pub(super) last: Option<LastTime>,
    /// What the canister says of it.
    pub(super) consent: Option<ConsentView>,
}

impl<P: Ports> Wallet<P> {
    /// What is to be said beside an ask for this call.
    pub(super) async fn background(
        &self,
        intent: &Intent,
        decoded: &Decoded,
    ) -> Result<Background, RecordError> {
        let prepared = intent.prepared();
        let ledger = &decoded.canister;
        let payee = decoded.party().map(|party| Payee::of(&party.address));
        let dealing = self
            .dealing_of(intent, payee.as_ref())
            .await?
            .map(|stored| stored.record);
        let usual = Usual::key_of(&prepared.network, &prepared.canister, &prepared.origin);
        let usual = self.index::<Usual>(&usual).await?;
        let usual = usual.map_or_else(Vec::new, |stored| stored.record.amounts);
        let heard = match &payee {
            Some(payee) => self.was_heard(&prepared.origin, payee).await?,
            None => rules::Heard::Never,
        };
        let known = match &payee {
            Some(payee) => self.known_like(intent, payee).await?,
            None => Vec::new(),
        };
        let facts = intent
            .ask()
            .and_then(|ask| self.memory.borrow().facts.get(&ask.id).cloned());
        let amount = decoded.units(decoded.amount.as_deref());
        let fee = decoded.fee();
        let fee = fee.or_else(|| facts.as_ref().and_then(|facts| facts.fee.clone()));
        let balance = facts.as_ref().and_then(|facts| facts.balance.clone());
        let earlier = dealing.as_ref().map_or_else(Earlier::default, |dealing| {
            earlier(dealing, &prepared.origin, amount.as_ref())
        });
        let token = token_of(ledger);
        let shown = |units: &BigUint| Some(shown_amount(ledger, token.as_ref()?, units));
        let last = match &dealing {
            Some(dealing) => self.last_time(intent, decoded, dealing).await?,
            None => None,
        };
        let consent = intent.ask().and_then(|ask| {
            let total = match (decoded.effect(), &amount, &fee) {
                (Effect::Transfer, Some(amount), Some(fee)) => shown(&(amount + fee)),
                (_, Some(_) | None, Some(_) | None) => None,
            };
            let ours = Ours {
                effect: decoded.effect(),
                party: decoded.party(),
                amount: decoded.amount(),
                fee: fee.as_ref().and_then(shown),
                total,
                sender: prepared.sender.to_text(),
                canister: prepared.canister.to_text(),
            };
            self.words_view(ask.id, &ours)
        });
        let findings = findings(&Facts {
            now: now(intent, facts.as_ref()),
            ledger: prepared.canister,
            looks_like: look_alike(ledger),
            pasted: prepared.pasted,
            effect: decoded.effect(),
            payee,
            amount: amount.as_ref(),
            fee: fee.as_ref(),
            balance: balance.as_ref(),
            has_end: decoded
                .line(Some("expires_at"))
                .is_some_and(|line| line.text.is_some()),
            texts: texts(intent, decoded),
            twins: self.twins(intent, decoded).await?,
            earlier,
            known,
            heard,
            usual: usual.iter().filter_map(|n| n.parse().ok()).collect(),
            gainsaid: consent.as_ref().map_or(&[], ConsentView::differences),
            shown: &shown,
        });
        Ok(Background {
            findings,
            last,
            consent,
        })
    }

    /// Other calls that do the same, of any site, and may have been carried out: those that were
    /// approved count from their yes.
    async fn twins(&self, of: &Intent, decoded: &Decoded) -> Result<Vec<OpenTwin>, RecordError> {
        let prepared = of.prepared();
        let mut twins = Vec::new();
        for stored in self.open_intents().await? {
            let (other, ask) = (stored.intent.prepared(), stored.intent.ask());
            let yes = ask.and_then(|ask| ask.yes.as_ref());
            if other.preview == prepared.preview
                || other.network != prepared.network
                || other.canister != prepared.canister
                || (yes.is_none() && !stored.intent.may_have_executed())
            {
                continue;
            }
            let same = other.method == prepared.method && other.arg == prepared.arg
                || self
                    .decoded(&stored.intent)
                    .await
                    .is_some_and(|other| does_the_same(&other, decoded));
            if same {
                let mut sent = stored.intent.envelopes().iter();
                let approved = sent.find_map(|one: &Envelope| one.approved_at);
                twins.push(OpenTwin {
                    site: other.origin.clone(),
                    at: approved.or(yes.map(|yes| yes.at)),
                });
            }
        }
        Ok(twins)
    }

    /// Accounts that the payee could be taken for: payees of other calls, and the person's own.
    async fn known_like(&self, of: &Intent, payee: &Payee) -> Result<Vec<Payee>, RecordError> {
        let network = of.prepared().network;
        let group = Query::Group(Dealing::alike(&network, &payee.ends()));
        let rows = self.ports.store().list(Dealing::TABLE, group).await?;
        let dealings = rows.iter().filter_map(|row| record::read(row).ok());
        let mut known: Vec<Payee> = dealings
            .filter(|stored: &Stored<Dealing>| !stored.record.paid.is_empty())
            .map(|stored| Payee::of(&stored.record.payee))
            .collect();
        for account in self.accounts().await? {
            if account.network == network {
                known.push(Payee::of(&account.principal.to_text()));
            }
        }
        Ok(known)
    }

    /// What differs from the last approved call of this site, method and payee.
    async fn last_time(
        &self,
        intent: &Intent,
        now: &Decoded,
        dealing: &Dealing,
    ) -> Result<Option<LastTime>, RecordError> {
        let prepared = intent.prepared();
        let Some(last) = dealing.last(&prepared.origin, &prepared.method) else {
            return Ok(None);
        };
        if last.preview == prepared.preview {
            return Ok(None);
        }
        let Ok(Some(before)) = self.intent(&last.preview).await else {
            return Ok(None);
        };
        let Some(before) = self.decoded(&before.intent).await else {
            return Ok(None);
        };
        let mut differs = Vec::new();
        for line in now.arguments.iter().filter(|line| line.role != Role::Stamp) {
            let earlier = before.line(Some(&line.path));
            if earlier.is_none_or(|earlier| earlier.raw != line.raw) {
                differs.push(LastValue {
                    path: line.path.clone(),
                    before: earlier.and_then(|earlier| earlier.text.clone()),
                });
            }
        }
        let at = last.at;
        Ok(Some(LastTime { at, differs }))
    }

    /// What a change of an intent adds to what is known of its payee: a yes, and an effect.
    pub(super) async fn dealing_writes(
        &self,
        before: &Intent,
        next: &Intent,
    ) -> Result<Vec<Write>, RecordError> {
        let yes = |intent: &Intent| intent.ask().and_then(|ask: &Ask| ask.yes.clone());
        let approved = yes(next).filter(|_| yes(before).is_none());
        let took_effect = |intent: &Intent| intent.end().is_some_and(|end| end.kind.is_effect());
        let took_effect = took_effect(next) && !took_effect(before);
        if approved.is_none() && !took_effect {
            return Ok(Vec::new());
        }
        let Some(decoded) = self.decoded(next).await else {
            return Ok(Vec::new());
        };
        let paid = took_effect && decoded.moves();
        if approved.is_none() && !paid {
            return Ok(Vec::new());
        }
        let prepared = next.prepared();
        let payee = decoded.party().map(|party| Payee::of(&party.address));
        let held = self.dealing_of(next, payee.as_ref()).await?;
        let mut writes = Vec::new();
        let mut dealing = match &held {
            Some(stored) => stored.record.clone(),
            None => Dealing::none(prepared.network, prepared.canister, payee.as_ref()),
        };
        if let Some(yes) = approved {
            dealing.approved(LastCall {
                site: prepared.origin.clone(),
                method: prepared.method.clone(),
                preview: prepared.preview,
                at: yes.at,
            });
        }
        if paid {
            let amount = decoded.units(decoded.amount.as_deref());
            let amount = amount.map_or_else(String::new, |units| units.to_string());
            if !amount.is_empty() {
                let key = Usual::key_of(&prepared.network, &prepared.canister, &prepared.origin);
                let held = self.index::<Usual>(&key).await?;
                let mut usual = match &held {
                    Some(stored) => stored.record.clone(),
                    None => {
                        Usual::none(prepared.network, prepared.canister, prepared.origin.clone())
                    }
                };
                usual.was_paid(amount.clone());
                writes.extend(self.keeps(held.as_ref(), &usual).await?);
            }
            let mut envelopes = next.envelopes().iter().rev();
            let at = envelopes.find_map(|one| one.approved_at);
            let at = at.unwrap_or_else(|| next.clock());
            dealing.was_paid(&prepared.origin, Payment { amount, at });
        }
        writes.extend(self.keeps(held.as_ref(), &dealing).await?);
        Ok(writes)
    }

    /// Keeps the addresses in texts of others that a site is about to be handed.
    pub(super) async fn hear(&self, site: &str, answer: &Map<String, Json>) {
        let mut addresses = Vec::new();
        for value in answer.values() {
            untrusted_addresses(value, &mut addresses);
        }
        if addresses.is_empty() {
            return;
        }
        for _ in 0..TRIES {
            let Ok(held) = self.index::<Heard>(&Heard::key_of(site)).await else {
                return;
            };
            let mut heard = match &held {
                Some(stored) => stored.record.clone(),
                None => Heard::nothing(site.to_owned()),
            };
            if !heard.hear(addresses.iter().cloned()) {
                return;
            }
            let Ok(Some(write)) = self.keeps(held.as_ref(), &heard).await else {
                return;
            };
            if self.put(vec![write], "heard").await.is_ok() {
                return;
            }
        }
    }

    async fn was_heard(&self, site: &str, payee: &Payee) -> Result<rules::Heard, RecordError> {
        let heard = self.index::<Heard>(&Heard::key_of(site)).await?;
        let mut names = vec![payee.id.clone()];
        names.extend(payee.owner.map(Payee::default_of));
        Ok(heard.map_or(rules::Heard::Never, |heard| heard.record.heard(&names)))
    }

    async fn dealing_of(
        &self,
        intent: &Intent,
        payee: Option<&Payee>,
    ) -> Result<Option<Stored<Dealing>>, RecordError> {
        let prepared = intent.prepared();
        let account = payee.map_or("", |payee| payee.id.as_str());
        let key = Dealing::key_of(&prepared.network, &prepared.canister, account);
        self.index(&key).await
    }

    /// A row of the index. One that cannot be read is as good as none: nobody decides by it.
    async fn index<T: Record>(&self, key: &str) -> Result<Option<Stored<T>>, RecordError> {
        match self.load(key).await {
            Ok(row) => Ok(row),
            Err(RecordError::Damaged { .. } | RecordError::Newer { .. }) => Ok(None),
            Err(error @ RecordError::Store(_)) => Err(error),
        }
    }

    /// The write that keeps a row of the index, in the place of one that is damaged; none in the place
    /// of one that a newer version wrote.
    async fn keeps<T: Record>(
        &self,
        held: Option<&Stored<T>>,
        record: &T,
    ) -> Result<Option<Write>, RecordError> {
        let (writer, now) = (self.writer().await?, self.ports.clock().host());
        Ok(match held {
            Some(held) => Some(record::change(writer, now, held.rev, record)),
            None => {
                let row = self.ports.store().get(T::TABLE, &record.key()).await?;
                match row {
                    None => Some(record::add(writer, now, record)),
                    Some(row) if row.v > T::V => None,
                    Some(row) => Some(record::change(writer, now, row.rev, record)),
                }
            }
        })
    }
}

/// Certified time, as far as it is known beside an ask.
fn now(intent: &Intent, facts: Option<&AskFacts>) -> Timestamp {
    let read = facts.and_then(|facts| facts.at);
    read.unwrap_or_default().max(intent.clock())
}

/// What is known of earlier payments to a payee.
fn earlier(dealing: &Dealing, site: &str, amount: Option<&BigUint>) -> Earlier {
    let amount = amount.map(ToString::to_string);
    let same = dealing
        .paid
        .iter()
        .filter(|paid| Some(&paid.amount) == amount.as_ref());
    Earlier {
        paid: !dealing.paid.is_empty(),
        paid_by_site: dealing.payers.iter().any(|payer| payer == site),
        same_amount_at: same.map(|paid| paid.at).max(),
    }
}

/// Whether two calls to one ledger have the same effect: kind, payee and amount.
fn does_the_same(one: &Decoded, other: &Decoded) -> bool {
    let moves = |call: &Decoded| {
        let to = call.party().filter(|_| call.moves())?.address;
        Some((Payee::of(&to).id, call.units(call.amount.as_deref())?))
    };
    moves(one).is_some_and(|one| Some(one) == moves(other))
}

/// Texts in a call that somebody wrote.
fn texts<'a>(intent: &'a Intent, decoded: &'a Decoded) -> Vec<(Place, &'a str)> {
    let why = intent.prepared().why.as_deref();
    let lines = decoded.arguments.iter().filter(|line| match line.kind {
        LeafKind::Memo | LeafKind::Text => true,
        LeafKind::Address
        | LeafKind::Bytes
        | LeafKind::Amount
        | LeafKind::Time
        | LeafKind::Plain
        | LeafKind::Func => false,
    });
    let of_argument = lines.filter_map(|line| {
        let place = Place::Argument(line.path.clone());
        Some((place, line.text.as_deref()?))
    });
    why.map(|why| (Place::Why, why))
        .into_iter()
        .chain(of_argument)
        .collect()
}

/// The principals and account identifiers in the texts of others in an answer.
fn untrusted_addresses(answer: &Json, found: &mut Vec<String>) {
    match answer {
        Json::Object(members) => {
            for (name, value) in members {
                match value {
                    Json::String(text) if name == "untrusted" => found.extend(addresses(text)),
                    other => untrusted_addresses(other, found),
                }
            }
        }
        Json::Array(items) => items
            .iter()
            .for_each(|item| untrusted_addresses(item, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

/// The accounts that stand in a text as one word each, by their identifiers; of one that is not the
/// owner's default also that. What is spelled apart, or over two texts, is not found.
fn addresses(text: &str) -> Vec<String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let words = text.split(|c| !is_letter(c));
    // A point ends a sentence, or stands in an account.
    let words = words.flat_map(|word| core::iter::once(word).chain(word.split('.')));
    words
        .map(|word| word.trim_matches(['-', '.']))
        // What is shorter is a word: the shortest principal of a canister has 27 characters.
        .filter(|word| word.len() >= 20)
        .flat_map(|word| {
            let payee = Payee::of(word);
            let id = account_id::read(word).ok().map(|_| payee.id);
            id.into_iter().chain(payee.owner.map(Payee::default_of))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PRINCIPAL: &str = "k2t6j-2nvnp-4zjm3-25dtz-6xhaa-c7boj-5gayf-oj3xs-i43lp-teztq-6ae";

    fn heard(answer: &Json) -> Vec<String> {
        let mut found = Vec::new();
        untrusted_addresses(answer, &mut found);
        found
    }

    #[test]
    fn addresses_are_found_wherever_others_wrote_and_nowhere_else() {
        let memo = format!("send it to {PRINCIPAL}, quickly");
        let answer = json!({
            "block": { "to": PRINCIPAL, "memo": { "untrusted": memo, "from": "memo of block 7" } },
            "names": [{ "untrusted": PRINCIPAL.to_uppercase() }, { "untrusted": "nobody" }],
        });
        let id = Payee::of(PRINCIPAL).id;
        let all = heard(&answer);
        assert!(
            all.len() >= 2 && all.iter().all(|one| *one == id),
            "{all:?}"
        );
        assert_eq!(heard(&json!({ "to": PRINCIPAL })), [""; 0]);
    }

    #[test]
    fn an_account_is_heard_however_it_is_written() {
        let id = "d4685b31b51450508aff0331584df7692a84467b680326f5c5f7d30ae711682f";
        assert!(addresses(&format!("to {id}.")).contains(&id.to_owned()));
        let of_principal = Payee::of(PRINCIPAL).id;
        for text in [
            format!("({PRINCIPAL})"),
            format!("Pay {}.Thanks", PRINCIPAL.to_uppercase()),
            format!("to.{PRINCIPAL}"),
            of_principal.to_uppercase(),
        ] {
            assert!(addresses(&text).contains(&of_principal), "{text}");
        }
        assert_eq!(addresses("an-ordinary-sentence-with-hyphens"), [""; 0]);
    }
}
