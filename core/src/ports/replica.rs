//! HTTP to the network, as bytes. What the bytes mean is for [`crate::ingress`].

/// What came of one request.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Exchange {
    /// A whole answer arrived.
    Answer {
        /// HTTP status code.
        status: u16,
        /// The body.
        body: Vec<u8>,
    },
    /// No whole answer arrived: refused, cut off or timed out. The request may have been
    /// received, and what it asks for may have happened or may still happen.
    NoAnswer,
}

/// Requests to a network's endpoint.
///
/// An implementation sends each request once: no retry, no redirect, no cookies, no cache.
pub trait Replica {
    /// `GET url`.
    async fn get(&self, url: &str) -> Exchange;

    /// `POST url` with a CBOR body.
    async fn post(&self, url: &str, body: &[u8]) -> Exchange;
}
