//! What a canister says of a call that a window shows (ICRC-21).
//!
//! A canister is asked once for an ask, when a window shows it and the wallet is open: only one that
//! the person accepted for the asking site, and only where it certified that it answers. The
//! question is signed by the account that would call, as the standard wants it; it is the one update
//! that goes out before a yes. Its answer must be certified and come within some seconds. Nothing
//! waits for it: a yes can be given without it, and what comes later changes the view, which takes
//! the readiness from the button. The words live in memory; after a worker's death they are asked
//! for again.

use super::Wallet;
use super::canisters::Basis;
use super::drive::site_of;
use super::questions::{POLL_EVERY, reply_of};
use super::reads::ReadFailure;
use crate::confirm::consent::compare::{Ours, compare};
use crate::confirm::consent::wire::{self, Answer, Message};
use crate::confirm::consent::{ConsentView, Said, Unsaid};
use crate::ids::{AskId, NetworkId, PreviewId, Principal};
use crate::ingress::{Certified, ReadAnswer, SignedCall};
use crate::intent::{Hitch, Intent};
use crate::ports::{Clock as _, Ports};
use crate::time::Span;

/// How long words are waited for, once they can be asked for. The list of a canister's standards may
/// take as long before.
const WAIT: Span = Span::from_secs(5);

/// A message without arguments.
const NO_ARGUMENTS: &[u8] = b"DIDL\0\0";

/// What there is of a canister's words for an ask.
#[derive(Clone, Debug)]
pub(super) enum Words {
    /// It is being asked, or does not offer any.
    None,
    /// It said something, asked in a language.
    Said(Message, String),
    /// It offers words and gave none.
    Unsaid(Unsaid),
}

impl<P: Ports> Wallet<P> {
    /// Asks a shown call's canister what the call would do, once, in a language (BCP 47), and shows
    /// what it says.
    pub(super) async fn read_words_of(&self, ask: AskId, preview: PreviewId, language: &str) {
        {
            let mut memory = self.memory.borrow_mut();
            if memory.words.contains_key(&ask) {
                return;
            }
            memory.words.insert(ask, Words::None);
        }
        let words = match self.intent(&preview).await {
            Ok(Some(stored)) => self.words(&stored.intent, language).await,
            Ok(None) | Err(_) => Ok(Words::None),
        };
        {
            let mut memory = self.memory.borrow_mut();
            match (words, memory.words.contains_key(&ask)) {
                // The ask is over, or there is nothing to show.
                (_, false) | (Ok(Words::None), true) => return,
                (Ok(words), true) => {
                    memory.words.insert(ask, words);
                }
                // It was not asked; the next look may find the wallet open.
                (Err(_), true) => {
                    memory.words.remove(&ask);
                    return;
                }
            }
        }
        self.views_changed();
        self.push_views().await;
    }

    /// What the window shows of a canister's words, beside what it shows of the call.
    pub(super) fn words_view(&self, ask: AskId, ours: &Ours) -> Option<ConsentView> {
        let memory = self.memory.borrow();
        match memory.words.get(&ask)? {
            Words::None => None,
            Words::Unsaid(unsaid) => Some(ConsentView::Unsaid(unsaid.clone())),
            Words::Said(message, asked) => Some(ConsentView::Said(Box::new(Said {
                blocks: message.blocks.clone(),
                language: other_language(&message.language, asked),
                compared: compare(&message.blocks, ours),
            }))),
        }
    }

    /// Asks the canister, where it may be asked. An error says that it was not.
    async fn words(&self, intent: &Intent, language: &str) -> Result<Words, Hitch> {
        let prepared = intent.prepared();
        let (network, canister) = (prepared.network, prepared.canister);
        if !self.may_be_asked(intent).await {
            return Ok(Words::None);
        }
        match self.describes(&network, canister).await {
            Ok(true) => {}
            Ok(false) => return Ok(Words::None),
            Err(unsaid) => return Ok(Words::Unsaid(unsaid)),
        }
        let Ok(s0) = self.canister_time(&network, canister).await else {
            return Ok(Words::Unsaid(Unsaid::Unanswered));
        };
        let begun = self.ports.clock().monotonic();
        let question = self.sign_question(intent, language, s0).await?;
        let reply = self.answer_to(&network, canister, &question, begun).await;
        if self.is_late(begun) {
            return Ok(Words::Unsaid(Unsaid::Late));
        }
        Ok(match reply {
            Ok(reply) => match wire::read(&reply) {
                Ok(Answer::Message(message)) => Words::Said(message, language.to_owned()),
                Ok(Answer::Refused(words)) => {
                    Words::Unsaid(Unsaid::Refused(words.as_str().to_owned()))
                }
                Err(_) => Words::Unsaid(Unsaid::Unreadable),
            },
            Err(_) => Words::Unsaid(Unsaid::Unanswered),
        })
    }

    fn is_late(&self, begun: Span) -> bool {
        let waited = self.ports.clock().monotonic().as_nanos();
        waited.saturating_sub(begun.as_nanos()) > WAIT.as_nanos()
    }

    /// Whether the person accepted the call's canister for the site that asks, with an interface by
    /// which it can be asked.
    async fn may_be_asked(&self, intent: &Intent) -> bool {
        let prepared = intent.prepared();
        let Some(site) = site_of(intent) else {
            return false;
        };
        let Ok(Some(grant)) = self.grant_of(&site).await else {
            return false;
        };
        let grant = grant.record;
        if grant.network != prepared.network || !grant.holds(&prepared.canister) {
            return false;
        }
        let Ok(Some(tools)) = self.tools_of(Basis::of_call(prepared)).await else {
            return false;
        };
        let methods = &tools.interface.methods;
        methods.contains_key(wire::METHOD) && methods.contains_key(wire::STANDARDS)
    }

    /// Whether the canister certified, in this life, that it describes calls. Its interface says so
    /// already: where that cannot be heard, or not in time, there are words that are missing.
    async fn describes(&self, network: &NetworkId, canister: Principal) -> Result<bool, Unsaid> {
        let known = self
            .memory
            .borrow()
            .describe
            .get(&(*network, canister))
            .copied();
        if let Some(known) = known {
            return Ok(known);
        }
        let begun = self.ports.clock().monotonic();
        let reply = self
            .replicated_read(network, canister, wire::STANDARDS, NO_ARGUMENTS)
            .await;
        let reply = reply.map_err(|_| Unsaid::Unanswered)?;
        let describes = wire::advertises(&reply).map_err(|_| Unsaid::Unreadable)?;
        let mut memory = self.memory.borrow_mut();
        memory.describe.insert((*network, canister), describes);
        drop(memory);
        if describes && self.is_late(begun) {
            return Err(Unsaid::Late);
        }
        Ok(describes)
    }

    /// Sends the question and waits for the reply's bytes, certified, as long as words are waited for.
    async fn answer_to(
        &self,
        network: &NetworkId,
        canister: Principal,
        question: &SignedCall,
        begun: Span,
    ) -> Result<Vec<u8>, ReadFailure> {
        let (envelope, request_id) = (&question.envelope, &question.request_id);
        let posted = self
            .post_question(network, canister, envelope, request_id)
            .await?;
        if let Some(reply) = posted {
            return Ok(reply);
        }
        while !self.is_late(begun) {
            self.ports.clock().pause(POLL_EVERY).await;
            let certified = self.status_of(network, canister, question).await?;
            if let Some(reply) = reply_of(&certified, &question.request_id)? {
                return Ok(reply);
            }
        }
        Err(ReadFailure::Slow)
    }

    /// The state of the question, by the read that was signed with it.
    async fn status_of(
        &self,
        network: &NetworkId,
        canister: Principal,
        question: &SignedCall,
    ) -> Result<Certified, ReadFailure> {
        let certificate = self
            .post_each(
                network,
                |endpoint| endpoint.read_state(canister),
                &question.read_status,
                |status, body| Ok(ReadAnswer::read(status, body)?.certificate),
            )
            .await?;
        self.admit(network, canister, &certificate).await
    }
}

/// The language that words are said to be in, where it is another than the one asked for. Regions and
/// scripts do not make another language here.
fn other_language(said: &str, asked: &str) -> Option<String> {
    let primary = |tag: &str| {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        primary.to_ascii_lowercase()
    };
    (primary(said) != primary(asked)).then(|| said.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_language_is_named_and_another_region_is_not() {
        assert_eq!(other_language("en", "en"), None);
        assert_eq!(other_language("en-GB", "EN"), None);
        assert_eq!(other_language("en", "zh-CN"), Some("en".to_owned()));
        assert_eq!(other_language("", "en"), Some(String::new()));
    }
}
