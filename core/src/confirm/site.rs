//! An origin as a person reads it: in full, with the part that can be bought in bold.

use super::picture::Picture;
use serde::{Deserialize, Serialize};

/// An origin, cut where its weight changes. `scheme`, `before`, `strong` and `after` joined are the
/// origin again.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
pub struct SiteName {
    /// `https://` or `http://`.
    pub scheme: String,
    /// Host labels before the bold part, with their points: `pay.shop.`.
    pub before: String,
    /// The bold part: the last two labels of a name, or the whole of an address.
    pub strong: String,
    /// Port with its colon, or nothing.
    pub after: String,
    /// Whether a label is written in Punycode (`xn--`): the name is in another script than what
    /// stands here.
    pub punycode: bool,
    /// A glyph drawn from the origin; no picture of the site's own.
    pub glyph: Picture,
}

impl SiteName {
    /// Cuts an origin as the browser writes it (`https://pay.example.org:8443`).
    ///
    /// There is no list of public suffixes here, so the bold part is always the last two labels:
    /// the whole host stands beside it.
    #[must_use]
    pub fn of(origin: &str) -> Self {
        let (scheme, rest) = match origin.split_once("://") {
            Some((scheme, rest)) => (format!("{scheme}://"), rest),
            None => (String::new(), origin),
        };
        let (host, after) = match rest.rsplit_once(':') {
            Some((host, port)) if port.chars().all(|c| c.is_ascii_digit()) => {
                (host, format!(":{port}"))
            }
            Some(_) | None => (rest, String::new()),
        };
        let labels: Vec<&str> = host.split('.').collect();
        let is_address = host.starts_with('[')
            || labels
                .iter()
                .all(|label| label.chars().all(|c| c.is_ascii_digit()));
        let bold = if is_address { labels.len() } else { 2 };
        let (before, strong) = labels.split_at(labels.len().saturating_sub(bold));
        Self {
            scheme,
            before: before.iter().map(|label| format!("{label}.")).collect(),
            strong: strong.join("."),
            after,
            punycode: labels.iter().any(|label| label.starts_with("xn--")),
            glyph: Picture::of(origin.as_bytes()),
        }
    }

    /// The whole origin.
    #[must_use]
    pub fn origin(&self) -> String {
        format!(
            "{}{}{}{}",
            self.scheme, self.before, self.strong, self.after
        )
    }

    /// Host and port, without the scheme.
    #[must_use]
    pub fn host(&self) -> String {
        format!("{}{}{}", self.before, self.strong, self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(origin: &str) -> (String, String, String) {
        let name = SiteName::of(origin);
        assert_eq!(name.origin(), origin);
        (name.before, name.strong, name.after)
    }

    fn parts(before: &str, strong: &str, after: &str) -> (String, String, String) {
        (before.into(), strong.into(), after.into())
    }

    #[test]
    fn the_last_two_labels_of_a_name_are_bold() {
        assert_eq!(cut("https://agent.example"), parts("", "agent.example", ""));
        assert_eq!(
            cut("https://a.b.example.org"),
            parts("a.b.", "example.org", "")
        );
        assert_eq!(
            cut("https://ledger.com.evil.example:8443"),
            parts("ledger.com.", "evil.example", ":8443")
        );
    }

    #[test]
    fn an_address_is_bold_as_a_whole() {
        assert_eq!(
            cut("http://127.0.0.1:4943"),
            parts("", "127.0.0.1", ":4943")
        );
        assert_eq!(cut("http://[::1]:80"), parts("", "[::1]", ":80"));
        assert_eq!(cut("http://[::1]"), parts("", "[::1]", ""));
        assert_eq!(
            cut("http://localhost:3000"),
            parts("", "localhost", ":3000")
        );
    }

    #[test]
    fn punycode_is_said() {
        assert!(SiteName::of("https://xn--pple-43d.com").punycode);
        assert!(!SiteName::of("https://apple.com").punycode);
    }
}
