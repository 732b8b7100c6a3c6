//! What is read of a canister that is asked for, and what was given for it.

use crate::confirm::view::{LabelHash, Pasted, ProfileView, Unreadable};
use crate::engine::Wallet;
use crate::engine::canisters::{CanisterTools, unreadable, worded_with};
use crate::engine::profiles::{GivenProfile, given_profiles};
use crate::engine::records::{Asked, Canister, Code, InterfaceText};
use crate::ids::{ContentHash, NetworkId, Principal};
use crate::ingress::Path;
use crate::interface::{Interface, MAX_TEXT, differences};
use crate::ports::Ports;
use crate::profile::Applied;
use crate::text::Untrusted;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The metadata sections in which a canister certifies its interface and a profile.
const INTERFACE: &str = "candid:service";
const PROFILE: &str = "candid:profile";

/// What a canister certified of itself, with what was given for it.
#[derive(Clone)]
pub(in crate::engine) struct CanisterRead {
    /// The record that accepting it stores.
    pub(in crate::engine) canister: Canister,
    /// The text of its interface.
    pub(in crate::engine) text: String,
    /// What became of an interface that was pasted.
    pub(in crate::engine) pasted: Pasted,
    /// Every profile that was given for it.
    pub(in crate::engine) read_profiles: Vec<GivenProfile>,
    /// The same, as the person is told of them.
    pub(in crate::engine) profiles: Vec<ProfileView>,
    /// Its tools.
    pub(in crate::engine) tools: Rc<CanisterTools>,
}

impl CanisterRead {
    /// The profiles that apply.
    pub(in crate::engine) fn applied(&self) -> Vec<Applied> {
        let applied = self.read_profiles.iter().filter_map(GivenProfile::applied);
        applied.map(|(applied, _)| applied).collect()
    }

    /// Hash of what a site is given of it.
    pub(in crate::engine) fn accepted(&self) -> ContentHash {
        self.canister.accepted(&worded_with(&self.tools.resolved))
    }
}

impl<P: Ports> Wallet<P> {
    /// Reads what a canister certifies of itself: module, interface, profile, and the values that
    /// its tools are worded with.
    pub(in crate::engine) async fn read_canister(
        &self,
        network: &NetworkId,
        asked: &Asked,
    ) -> Result<CanisterRead, Unreadable> {
        let id = asked.id;
        let paths = vec![
            Path::time(),
            Path::metadata(id, INTERFACE),
            Path::metadata(id, PROFILE),
            Path::module_hash(id),
        ];
        let certified = self
            .read_state(network, id, paths)
            .await
            .map_err(unreadable)?;
        let module = certified
            .module_hash(id)
            .map_err(|_| Unreadable::NotCertified)?;
        let known = self
            .accepted_canister(network, &id)
            .await
            .filter(|known| known.module == module);
        let text = certified.metadata(id, INTERFACE);
        let text = match text.map_err(|_| Unreadable::NotCertified)? {
            Some(text) if text.len() <= MAX_TEXT => {
                Some(String::from_utf8(text.to_vec()).map_err(|_| Unreadable::BadInterface)?)
            }
            Some(_) => return Err(Unreadable::BadInterface),
            None if module.is_none() => return Err(Unreadable::NoCanister),
            None => None,
        };
        let before = self.pasted_before(known.as_ref()).await;
        let (text, interface, pasted) = which(text, asked.interface.as_ref().or(before.as_ref()))?;
        // A section that is not shown, or is no text, is as good as none.
        let metadata = certified.metadata(id, PROFILE).ok().flatten();
        let metadata = metadata.and_then(|bytes| core::str::from_utf8(bytes).ok());
        let code = Code {
            network: *network,
            module,
        };
        let kept = self.trusted_before(known.as_ref()).await;
        let given = given_profiles(asked, &code, metadata, &kept);
        let applied: Vec<_> = given.iter().filter_map(GivenProfile::applied).collect();
        let documents: Vec<_> = applied.iter().map(|(of, d)| (of.source, *d)).collect();
        let tools = Rc::new(self.tools_from(interface, &documents));
        let profiles = given.iter().map(|g| g.view(&tools.interface)).collect();
        let mut values = BTreeMap::new();
        let mut wanted = worded_with(&tools.resolved);
        // Shown beside a call's amount, so certified with the rest.
        let shown = ["icrc1_fee", "icrc1_name"].into_iter().map(str::to_owned);
        wanted.extend(shown.filter(|method| tools.interface.methods.contains_key(method)));
        for method in wanted {
            let value = self
                .read_value(network, id, &tools.interface, &method)
                .await?;
            values.insert(method, value);
        }
        let canister = Canister {
            network: *network,
            id,
            fingerprint: tools.interface.fingerprint(),
            module,
            pasted: matches!(pasted, Pasted::Used(_)).then(|| ContentHash::of(text.as_bytes())),
            trusted: given
                .iter()
                .filter(|profile| profile.is_kept())
                .map(|profile| profile.hash)
                .collect(),
            values,
            at: certified.time(),
            withheld: false,
        };
        Ok(CanisterRead {
            canister,
            text,
            pasted,
            read_profiles: given,
            profiles,
            tools,
        })
    }

    /// The interface that was pasted for a canister when it was accepted, while it runs that code.
    async fn pasted_before(&self, known: Option<&Canister>) -> Option<String> {
        let key = known?.pasted?.to_string();
        let stored = self.load::<InterfaceText>(&key).await;
        Some(stored.ok()??.record.text)
    }

    /// The profiles that the person trusts for a canister, while it runs the code that they were
    /// trusted for.
    async fn trusted_before(&self, known: Option<&Canister>) -> Vec<String> {
        let mut texts = Vec::new();
        for hash in known.map_or(&[][..], |known| &known.trusted) {
            if let Ok(Some(text)) = self.profile_text(hash).await {
                texts.push(text);
            }
        }
        texts
    }
}

/// Which interface counts: what the canister certifies; what was pasted, only where it certifies
/// none.
fn which(
    certified: Option<String>,
    pasted: Option<&String>,
) -> Result<(String, Interface, Pasted), Unreadable> {
    let read = |text: &String| Interface::parse(text).map_err(|_| Unreadable::BadInterface);
    match (certified, pasted) {
        (None, None) => Err(Unreadable::NoInterface),
        (None, Some(pasted)) => {
            let interface = read(pasted)?;
            let labels = interface.labels().into_iter();
            let labels = labels.map(|(label, hash)| LabelHash {
                label: Untrusted::new(&label).to_string(),
                hash,
            });
            let labels = labels.collect();
            Ok((pasted.clone(), interface, Pasted::Used(labels)))
        }
        (Some(text), None) => {
            let interface = read(&text)?;
            Ok((text, interface, Pasted::None))
        }
        (Some(text), Some(pasted)) => {
            let interface = read(&text)?;
            let differ = differences(&read(pasted)?, &interface);
            let pasted = if differ.is_empty() {
                Pasted::Same
            } else {
                Pasted::Differs(differ.iter().map(ToString::to_string).collect())
            };
            Ok((text, interface, pasted))
        }
    }
}

/// Whether a text from outside names a canister: an id that the network gives, of ten bytes.
pub(super) fn canister_id(text: &str) -> Option<Principal> {
    let id = Principal::from_text(text.trim()).ok()?;
    (id.as_slice().len() == 10).then_some(id)
}
