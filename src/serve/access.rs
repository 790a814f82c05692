//! Access control: the checks of every request before anything is done for it.

use super::http::Request;
use super::refusal::Refusal;

/// Bytes of the key.
const KEY_BYTES: usize = 16;
/// The port of HTTP, which browsers leave out of names.
const HTTP_PORT: &str = "80";

/// The host name and key that a request must have.
pub(super) struct Access {
    port: u16,
    /// The key, in hexadecimal digits.
    key: String,
}

impl Access {
    /// Access with a new random key.
    pub fn new(port: u16) -> Result<Access, getrandom::Error> {
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Access { port, key: bytes.iter().map(|byte| format!("{byte:02x}")).collect() })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/?key={}", self.name(), self.key)
    }

    /// Host and port.
    fn name(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Whether this is the server's name.
    fn is_own(&self, name: &str) -> bool {
        let (host, port) = name.split_once(':').unwrap_or((name, HTTP_PORT));
        ["127.0.0.1", "localhost"].contains(&host) && port == self.port.to_string()
    }

    /// Checks the host, the page that sent the request, and the key.
    pub fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = request.header("host").unwrap_or_default();
        if !self.is_own(host) {
            return Err(Refusal::Host { host: host.to_owned(), expected: self.name() });
        }
        // A browser names the page's server in every request to change something, and always if it is another one.
        if let Some(origin) = request.header("origin")
            && !origin.strip_prefix("http://").is_some_and(|name| self.is_own(name))
        {
            return Err(Refusal::Origin { origin: origin.to_owned() });
        }
        let key = request.header("x-pacioli-key").or_else(|| request.parameter("key"));
        if key.is_some_and(|key| is_same(key, &self.key)) { Ok(()) } else { Err(Refusal::Key) }
    }
}

/// Compares in a time that does not depend on where the texts differ.
fn is_same(given: &str, key: &str) -> bool {
    let differences = given.bytes().zip(key.bytes()).fold(0, |found, (a, b)| found | (a ^ b));
    given.len() == key.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_differ() {
        let (one, other) = (Access::new(1).unwrap(), Access::new(1).unwrap());
        assert!(one.key.len() == 2 * KEY_BYTES && one.key != other.key);
        assert!(is_same(&one.key, &one.key.clone()) && !is_same("", &one.key) && !is_same(&one.key[1..], &one.key));
    }

    #[test]
    fn only_own_pages_with_the_key_have_access() {
        let access = Access::new(8080).unwrap();
        let key = access.key.as_str();
        let check = |headers: &[(&str, &str)], query: &str| access.check(&Request::made_up(headers, query));
        let host = ("Host", "127.0.0.1:8080");
        let ok = |found: Result<(), Refusal>| assert!(found.is_ok(), "{found:?}");
        ok(check(&[host], &format!("a=b&key={key}")));
        ok(check(&[("host", "localhost:8080"), ("x-pacioli-key", key), ("Origin", "http://localhost:8080")], ""));
        assert!(matches!(check(&[host], ""), Err(Refusal::Key)));
        assert!(matches!(check(&[host], "key=00"), Err(Refusal::Key)));
        for host in ["", "127.0.0.1", "127.0.0.1:8081", "evil.example:8080", "127.0.0.1:8080.evil.example"] {
            let found = check(&[("Host", host), ("X-Pacioli-Key", key)], "");
            assert!(matches!(found, Err(Refusal::Host { .. })), "{host}");
        }
        for origin in ["null", "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:80"] {
            let found = check(&[host, ("X-Pacioli-Key", key), ("Origin", origin)], "");
            assert!(matches!(found, Err(Refusal::Origin { .. })), "{origin}");
        }
    }

    #[test]
    fn the_port_of_http_may_be_left_out() {
        let access = Access::new(80).unwrap();
        let check = |host: &str, origin: &str| {
            let headers = [("Host", host), ("Origin", origin), ("X-Pacioli-Key", access.key.as_str())];
            access.check(&Request::made_up(&headers, ""))
        };
        for name in ["127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"] {
            let found = check(name, &format!("http://{name}"));
            assert!(found.is_ok(), "{name}: {found:?}");
        }
        for name in ["127.0.0.1:", "127.0.0.1:8080", "evil.example"] {
            assert!(matches!(check(name, "http://localhost"), Err(Refusal::Host { .. })), "{name}");
            assert!(matches!(check("localhost", &format!("http://{name}")), Err(Refusal::Origin { .. })), "{name}");
        }
    }
}
