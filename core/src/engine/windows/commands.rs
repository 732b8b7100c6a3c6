//! What a window asks for, done. A decision counts only for the ask that the window shows.

use super::{Session, Standing};
use crate::confirm::picture::Mark;
use crate::engine::Wallet;
use crate::engine::asks::SaidYes;
use crate::engine::keys::KeyError;
use crate::engine::networks::AddError;
use crate::engine::views::history::{history, standing};
use crate::ids::{AskId, PreviewId};
use crate::intent::{Event, HandWord, Intent};
use crate::ports::{PortId, Ports};
use crate::vault::OpenError;
use crate::vault::PassphraseError;
use crate::wire::ui::{Action, Command, Dead, DeadWhy, Decided, Decision, Failure, Settings};

impl<P: Ports> Wallet<P> {
    pub(super) async fn command(&self, port: PortId, n: u64, seq: u64, command: Command) {
        let session = self.memory.borrow().windows.session(port);
        let Some(session) = session.filter(|session| n > session.handled) else {
            return;
        };
        let approved = if let Command::Approve { preview, .. } = &command {
            Some(*preview)
        } else {
            None
        };
        let failure = self.obey(port, &session, seq, command).await.err();
        let carries_out = approved.filter(|_| failure.is_none());
        self.with_session(port, |session| {
            session.handled = n;
            session.failure = failure;
        });
        self.views_changed();
        self.push_views().await;
        // The window is free for what comes next while the call is on its way.
        if let Some(preview) = carries_out {
            self.carry_out(preview).await;
        }
    }

    pub(super) async fn obey(
        &self,
        port: PortId,
        session: &Session,
        seq: u64,
        command: Command,
    ) -> Result<(), Failure> {
        if needs_unlocked(&command) && !self.is_unlocked() {
            return Err(Failure::Locked);
        }
        match command {
            Command::Show(place) => {
                self.with_session(port, |session| session.place = place);
                Ok(())
            }
            Command::DrawMark => {
                let mark = Mark::from_entropy(self.random());
                self.memory.borrow_mut().windows.proposed = Some(mark);
                Ok(())
            }
            Command::Create { passphrase, mark } => {
                if !mark.is_drawn() {
                    return Err(Failure::AskChanged);
                }
                let passphrase = zeroize::Zeroizing::new(passphrase.into_string());
                Ok(self.create(&passphrase, mark).await?)
            }
            Command::Unlock { passphrase } => {
                let passphrase = zeroize::Zeroizing::new(passphrase.into_string());
                self.unlock(&passphrase).await?;
                self.wake_open().await;
                Ok(())
            }
            Command::Lock => {
                self.lock().await;
                Ok(())
            }
            Command::Freeze => Ok(self.freeze().await?),
            Command::OpenAsks => {
                self.open_asks().await;
                Ok(())
            }
            Command::ReadNetwork { url } => self.read_network(&url).await,
            Command::ForgetReading => {
                self.memory.borrow_mut().adding = None;
                Ok(())
            }
            Command::AddNetwork { network, name } => Ok(self.add_network(network, &name).await?),
            Command::AddDeduplicating { network, ledger } => {
                Ok(self.set_deduplicating(network, &ledger, true).await?)
            }
            Command::RemoveDeduplicating { network, ledger } => {
                Ok(self.set_deduplicating(network, &ledger, false).await?)
            }
            Command::Choose {
                ask,
                account,
                preset,
            } => self.choose(ask, &account, preset).await,
            Command::AddCanister { site, canister } => self.add_canister(&site, &canister).await,
            Command::PasteInterface {
                ask,
                canister,
                text,
            } => {
                self.only_shown(session, ask)?;
                self.paste_interface(ask, &canister, text).await
            }
            Command::PasteProfile {
                ask,
                canister,
                text,
            } => {
                self.only_shown(session, ask)?;
                self.paste_profile(ask, &canister, text).await
            }
            Command::TrustProfile {
                ask,
                canister,
                profile,
                trusted,
            } => {
                self.only_shown(session, ask)?;
                self.trust_profile(ask, &canister, profile, trusted).await
            }
            Command::Approve {
                ask,
                preview,
                digest,
                acknowledged,
            } => {
                self.only_shown(session, ask)?;
                let seen = session.seen.iter().find(|(of, _)| *of == seq);
                let yes = SaidYes {
                    ask,
                    preview,
                    digest,
                    seen: seen.map(|(_, seen)| seen),
                    acknowledged: &acknowledged,
                };
                let decided = self.approve(yes).await?;
                self.decided(port, ask, decided, Some(preview)).await;
                Ok(())
            }
            Command::Connect { ask, shown } => {
                self.only_shown(session, ask)?;
                let decided = self.grant(ask, shown).await?;
                self.decided(port, ask, decided, None).await;
                Ok(())
            }
            Command::Decline { ask } => {
                self.only_shown(session, ask)?;
                let call = self.call_of(ask).await;
                let decided = self.decline(ask).await.ok_or(Failure::AskGone)?;
                self.decided(port, ask, decided, call).await;
                Ok(())
            }
            Command::Later { ask } => {
                self.with_session(port, |session| {
                    session.later.insert(ask);
                });
                let decided = Decided {
                    decision: Decision::Later,
                    row: None,
                    next: None,
                };
                let call = self.call_of(ask).await;
                self.decided(port, ask, decided, call).await;
                Ok(())
            }
            Command::Next => {
                self.with_session(port, |session| {
                    session.standing = Standing::Queue;
                    session.shows = None;
                });
                Ok(())
            }
            Command::Act { preview, action } => self.act(preview, action).await,
            Command::SetLanguage(language) => {
                let set = |settings: &mut Settings| settings.language = language;
                self.change_settings(set).await
            }
            Command::SetTheme(theme) => {
                let set = |settings: &mut Settings| settings.theme = theme;
                self.change_settings(set).await
            }
        }
    }

    /// A decision counts only for the ask that this very window shows.
    pub(super) fn only_shown(&self, session: &Session, ask: AskId) -> Result<(), Failure> {
        if session.shows == Some(ask) {
            Ok(())
        } else {
            Err(Failure::AskGone)
        }
    }

    pub(super) async fn decided(
        &self,
        port: PortId,
        ask: AskId,
        decided: Decided,
        call: Option<PreviewId>,
    ) {
        let session = self.memory.borrow().windows.session(port);
        if let Some(session) = session {
            self.shows(&session.token, None).await;
        }
        self.with_session(port, |session| {
            session.standing = Standing::Decided(Box::new(decided), call);
            session.shows = None;
        });
        self.count_asks().await;
        // Other windows that showed it learn that it was decided elsewhere.
        let mut memory = self.memory.borrow_mut();
        for (other, session) in &mut memory.windows.ports {
            if let Some(session) = session
                && *other != port
                && session.shows == Some(ask)
            {
                let (why, site, row, next) = (DeadWhy::Elsewhere, None, None, None);
                session.turn += 1;
                session.standing = Standing::Dead(Box::new(Dead {
                    why,
                    site,
                    row,
                    next,
                }));
                session.shows = None;
            }
        }
    }

    pub(super) async fn act(&self, preview: PreviewId, action: Action) -> Result<(), Failure> {
        let word = match action {
            Action::SendAgain => return self.ask_again(preview).await,
            Action::ItHappened => HandWord::Happened,
            Action::ItDidNot => HandWord::DidNotHappen,
            Action::MayHappenTwice => HandWord::AskAgain,
        };
        let stored = self.intent(&preview).await;
        let stored = stored.ok().flatten().ok_or(Failure::NotNow)?;
        let event = Event::ByHand {
            word,
            evidence: evidence_of(&stored.intent),
        };
        self.tell_intent(&preview, event)
            .await
            .map_err(|_| Failure::NotNow)?;
        self.drive(preview).await;
        Ok(())
    }
}

/// What the call's own page shows of it when the person settles it: what is known, what was sent
/// and answered, and what the last look at the ledger's blocks came to.
fn evidence_of(intent: &Intent) -> String {
    let shown = (standing(intent), history(intent));
    serde_json::to_string(&shown).expect("words, times and ids are JSON")
}

/// Whether a command decides something that a locked wallet does not decide.
pub(super) const fn needs_unlocked(command: &Command) -> bool {
    match command {
        Command::ReadNetwork { .. }
        | Command::AddNetwork { .. }
        | Command::AddDeduplicating { .. }
        | Command::RemoveDeduplicating { .. }
        | Command::Choose { .. }
        | Command::AddCanister { .. }
        | Command::PasteInterface { .. }
        | Command::PasteProfile { .. }
        | Command::TrustProfile { .. }
        | Command::Approve { .. }
        | Command::Connect { .. }
        | Command::Act { .. }
        | Command::SetLanguage(_)
        | Command::SetTheme(_) => true,
        Command::Show(_)
        | Command::DrawMark
        | Command::Create { .. }
        | Command::Unlock { .. }
        | Command::Lock
        | Command::Freeze
        | Command::OpenAsks
        | Command::ForgetReading
        | Command::Decline { .. }
        | Command::Later { .. }
        | Command::Next => false,
    }
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Exists => Self::WalletExists,
            KeyError::Earlier => Self::EarlierWallet,
            KeyError::None => Self::NotNow,
            KeyError::Locked => Self::Locked,
            KeyError::Passphrase(PassphraseError::TooShort) => Self::ShortPassphrase,
            KeyError::Passphrase(error) => Self::Other(error.code().to_owned()),
            KeyError::Open(OpenError::Passphrase) => Self::WrongPassphrase,
            KeyError::Open(error) => Self::Other(error.code().to_owned()),
            KeyError::Record(_)
            | KeyError::Commit(_)
            | KeyError::Mirror(_)
            | KeyError::Lapse(_) => Self::NotStored,
        }
    }
}

impl From<AddError> for Failure {
    fn from(error: AddError) -> Self {
        match error {
            AddError::Gone => Self::NotNow,
            AddError::Name => Self::BadName,
            AddError::Canister | AddError::Mainnet => Self::BadCanister,
            AddError::Record(_) | AddError::Commit(_) => Self::NotStored,
            AddError::Key(error) => error.into(),
        }
    }
}
