//! Addresses of a network's HTTPS interface.

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

use crate::ids::Principal;

/// Why a text is no address of a network.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum EndpointError {
    /// Neither `https://` nor `http://`.
    #[error("A network's address begins with https://, or with http:// on this machine.")]
    Scheme,
    /// `http://` to another machine.
    #[error("Without encryption only this machine is reached: 127.0.0.1 or localhost.")]
    NotEncrypted,
    /// The host or port is missing or has characters that none has.
    #[error("The address has no host name and port that can be read.")]
    Host,
    /// Something stands after host and port.
    #[error("A network's address ends after its host and port.")]
    Extra,
}

/// The base address of a network's HTTPS interface: scheme, host, port, and nothing else.
///
/// `http` is taken for `127.0.0.1` and `localhost` only.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Endpoint(String);

impl Endpoint {
    /// Reads an address as a person types it. Spaces around it, one `/` at its end and the case of
    /// its letters do not matter.
    ///
    /// # Errors
    ///
    /// Another scheme, another machine without encryption, credentials, a path, a query, a
    /// fragment, or a host name with characters beyond letters, digits, `.` and `-`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim().to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://").ok_or(EndpointError::Scheme)?;
        let encrypted = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(EndpointError::Scheme),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.contains(['/', '?', '#', '@', '\\']) {
            return Err(EndpointError::Extra);
        }
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        };
        if !is_host(host) || port.is_some_and(|port| !is_port(port)) {
            return Err(EndpointError::Host);
        }
        if !encrypted && host != "127.0.0.1" && host != "localhost" {
            return Err(EndpointError::NotEncrypted);
        }
        Ok(Self(format!("{scheme}://{authority}")))
    }

    /// Whether it is on this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let host = self
            .0
            .split_once("://")
            .map_or("", |(_, authority)| authority);
        let host = host.split_once(':').map_or(host, |(host, _)| host);
        host == "127.0.0.1" || host == "localhost"
    }

    /// Where a call is posted. `effective_canister` is the canister itself, or for a call of the
    /// management canister the one it is about.
    #[must_use]
    pub fn call(&self, effective_canister: Principal) -> String {
        format!("{self}/api/v4/canister/{effective_canister}/call")
    }

    /// Where a query is posted.
    #[must_use]
    pub fn query(&self, effective_canister: Principal) -> String {
        format!("{self}/api/v3/canister/{effective_canister}/query")
    }

    /// Where a read of the state tree is posted.
    #[must_use]
    pub fn read_state(&self, effective_canister: Principal) -> String {
        format!("{self}/api/v3/canister/{effective_canister}/read_state")
    }

    /// Where the endpoint's own words about its network are read, with GET.
    #[must_use]
    pub fn status(&self) -> String {
        format!("{self}/api/v2/status")
    }
}

fn is_host(host: &str) -> bool {
    !host.is_empty()
        && host.len() <= 253
        && host.split('.').all(|label| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit())
        && !port.starts_with('0')
        && port.parse::<u16>().is_ok()
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Endpoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Endpoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_as_it_is_typed() {
        let read = |text| Endpoint::parse(text).map(|endpoint| endpoint.to_string());
        assert_eq!(read("https://icp-api.io"), Ok("https://icp-api.io".into()));
        assert_eq!(
            read(" HTTPS://Icp-Api.IO/ "),
            Ok("https://icp-api.io".into())
        );
        assert_eq!(
            read("http://127.0.0.1:4943"),
            Ok("http://127.0.0.1:4943".into())
        );
        assert_eq!(read("http://localhost:1"), Ok("http://localhost:1".into()));
    }

    #[test]
    fn what_is_no_address_is_refused_with_its_reason() {
        let refused = |text| Endpoint::parse(text).unwrap_err();
        assert_eq!(refused("icp-api.io"), EndpointError::Scheme);
        assert_eq!(refused("ftp://icp-api.io"), EndpointError::Scheme);
        assert_eq!(refused("http://icp-api.io"), EndpointError::NotEncrypted);
        assert_eq!(
            refused("http://localhost.example"),
            EndpointError::NotEncrypted
        );
        assert_eq!(refused("http://127.0.0.2"), EndpointError::NotEncrypted);
        assert_eq!(refused("https://"), EndpointError::Host);
        assert_eq!(refused("https://a..b"), EndpointError::Host);
        assert_eq!(refused("https://a_b"), EndpointError::Host);
        assert_eq!(refused("https://пример.рф"), EndpointError::Host);
        assert_eq!(refused("https://a:b"), EndpointError::Host);
        assert_eq!(refused("https://a:65536"), EndpointError::Host);
        assert_eq!(refused("https://a:"), EndpointError::Host);
        assert_eq!(refused("https://a:80:80"), EndpointError::Host);
        assert_eq!(refused("https://a/api"), EndpointError::Extra);
        assert_eq!(refused("https://a/?x"), EndpointError::Extra);
        assert_eq!(refused("https://me:secret@a"), EndpointError::Extra);
        assert_eq!(refused("https://a\\b"), EndpointError::Extra);
    }

    #[test]
    fn addresses_have_the_versions_of_the_interface() {
        let endpoint = Endpoint::parse("https://icp-api.io").unwrap();
        let canister = Principal::from_text("bkyz2-fmaaa-aaaaa-qaaaq-cai").unwrap();
        let base = "https://icp-api.io/api";
        let id = "canister/bkyz2-fmaaa-aaaaa-qaaaq-cai";
        assert_eq!(endpoint.call(canister), format!("{base}/v4/{id}/call"));
        assert_eq!(endpoint.query(canister), format!("{base}/v3/{id}/query"));
        assert_eq!(
            endpoint.read_state(canister),
            format!("{base}/v3/{id}/read_state")
        );
        assert_eq!(endpoint.status(), format!("{base}/v2/status"));
    }
}
