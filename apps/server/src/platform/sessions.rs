//! Who is let in: a one-time token in the printed address becomes a cookie, which names a session; a session has a principal.
//!
//! # Guarantees
//! A token works once. A browser that lost its cookie is told to look at the terminal, where a new address is printed: only
//! a person who sees the terminal gets in. The cookie is `HttpOnly` and `SameSite=Strict`, so that neither a script nor another site
//! can use it, and it ends with the server. Secrets are compared in constant time.
//!
//! Browsers send a cookie to every port of a host: a cookie of `127.0.0.1` would reach every other server on this machine that the
//! user visits, and that server could act as the user. So the cookie belongs to a name under `.localhost` that only the owner of the
//! data directory knows, and it counts for nothing under any other name. The name is told only in exchange for a token. Programs
//! that cannot resolve the name connect to the address and send the same secret as `Authorization: Bearer`, which no browser does by
//! itself.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::header::{AUTHORIZATION, COOKIE, HOST};
use axum::http::{HeaderMap, HeaderName};
use throng_contract::Failure;

use super::principal::Principal;
use super::secrets::{same, secret};

/// Tokens that may wait to be used; the oldest makes room.
const MAX_TOKENS: usize = 8;
/// Sessions kept at a time; the oldest makes room.
const MAX_SESSIONS: usize = 16;
/// Strangers do not fill the terminal: a new address at most so often.
const BETWEEN_ADDRESSES: Duration = Duration::from_secs(5);

/// The door of one server.
#[derive(Debug)]
pub struct Door {
    address: SocketAddr,
    /// The host and port of our pages, as browsers send them.
    host: String,
    keys: Mutex<Keys>,
    asking: Mutex<Asking>,
}

/// Whether a browser wants a new address, and when the last one was made.
#[derive(Debug, Default)]
struct Asking {
    wanted: bool,
    last: Option<Instant>,
}

#[derive(Debug)]
struct Keys {
    /// Tokens that were not used yet, the latest last.
    tokens: Vec<String>,
    sessions: Vec<Session>,
}

/// A browser or program that was let in: the secret it shows, and for whom it asks.
#[derive(Debug)]
struct Session {
    secret: String,
    principal: Principal,
}

impl Door {
    /// A door with a fresh token. `name` is a secret name under `.localhost`.
    pub fn new(address: SocketAddr, name: &str) -> Result<Self, Failure> {
        let keys = Keys { tokens: vec![secret()?], sessions: Vec::new() };
        // Names under `.localhost` are resolved to these two addresses, and to no other one.
        let usual = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        let host = match usual.contains(&address.ip()) {
            true => format!("{name}.localhost:{}", address.port()),
            false => address.to_string(),
        };
        Ok(Door { address, host, keys: Mutex::new(keys), asking: Mutex::default() })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether a request is meant for the host of our pages.
    pub fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        host.is_some_and(|host| same(&host.to_ascii_lowercase(), &self.host))
    }

    /// The address that a token that was not used yet belongs to. The token stays unused.
    pub fn address_for(&self, token: &str) -> Option<String> {
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let token = keys.tokens.iter().find(|own| same(own, token))?;
        Some(format!("http://{}/?token={token}", self.host))
    }

    /// Makes another token, for another browser.
    pub fn renew(&self) -> Result<(), Failure> {
        let token = secret()?;
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.tokens.len() == MAX_TOKENS {
            keys.tokens.remove(0);
        }
        keys.tokens.push(token);
        Ok(())
    }

    /// Asks for a new address to be printed.
    pub fn ask(&self) {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner).wanted = true;
    }

    /// A new address, if a browser asked for one and the last is old enough.
    pub fn asked(&self) -> Result<Option<String>, Failure> {
        {
            let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
            if !asking.wanted || asking.last.is_some_and(|last| last.elapsed() < BETWEEN_ADDRESSES) {
                return Ok(None);
            }
            *asking = Asking { wanted: false, last: Some(Instant::now()) };
        }
        self.renew()?;
        Ok(Some(self.url(None)))
    }

    /// The address to print, with the latest token that was not used yet, and the screen to begin with.
    pub fn url(&self, screen: Option<&str>) -> String {
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let screen = screen.unwrap_or_default();
        match keys.tokens.last() {
            Some(token) => format!("http://{}/?token={token}{screen}", self.host),
            None => format!("http://{}/{screen}", self.host),
        }
    }

    /// Exchanges the token for the value of a cookie.
    pub fn exchange(&self, token: &str) -> Result<Option<String>, Failure> {
        let secret = secret()?;
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = keys.tokens.iter().position(|own| same(own, token)) else { return Ok(None) };
        keys.tokens.remove(place);
        if keys.sessions.len() == MAX_SESSIONS {
            keys.sessions.remove(0);
        }
        let cookie = format!("{}={secret}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name());
        // A token was printed in the terminal of the user: a session made with it is theirs.
        keys.sessions.push(Session { secret, principal: Principal::local() });
        Ok(Some(cookie))
    }

    /// The principal of the session whose secret the request carries: in a cookie, where it is meant for the host of our pages, or as a
    /// bearer.
    pub fn principal(&self, headers: &HeaderMap) -> Option<Principal> {
        let name = self.cookie_name();
        let texts = |header: &HeaderName| {
            headers.get_all(header).iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>()
        };
        let mut given: Vec<&str> =
            texts(&AUTHORIZATION).iter().filter_map(|value| value.strip_prefix("Bearer ")).collect();
        if self.is_own_host(headers) {
            let cookies = texts(&COOKIE).into_iter().flat_map(|value| value.split(';'));
            let cookies = cookies.filter_map(|pair| pair.trim().split_once('='));
            given.extend(cookies.filter_map(|(key, value)| (key == name).then_some(value)));
        }
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sessions = keys.sessions.iter();
        let session = sessions.find(|session| given.iter().any(|given| same(&session.secret, given)))?;
        Some(session.principal.clone())
    }

    /// Cookies do not tell ports apart, and two servers may use one data directory after the other.
    fn cookie_name(&self) -> String {
        format!("throng-{}", self.address.port())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "throng-abcdefghijkmnpqrstuv";

    fn door() -> Door {
        Door::new(SocketAddr::from(([127, 0, 0, 1], 4000)), NAME).unwrap()
    }

    fn token(door: &Door) -> String {
        door.url(None).split_once("token=").unwrap().1.to_owned()
    }

    #[test]
    fn strangers_get_one_new_address_at_a_time() {
        let door = door();
        let first = token(&door);
        assert!(door.exchange(&first).unwrap().is_some());
        assert_eq!(door.asked().unwrap(), None);
        door.ask();
        let second = door.asked().unwrap().unwrap().split_once("token=").unwrap().1.to_owned();
        door.ask();
        assert_eq!(door.asked().unwrap(), None, "the last address is too young");
        assert!(door.exchange(&first).unwrap().is_none());
        assert!(door.exchange(&second).unwrap().is_some());
        assert!(door.exchange(&second).unwrap().is_none());
    }

    #[test]
    fn a_token_opens_the_door_once() {
        let door = door();
        let first = token(&door);
        assert_eq!(door.exchange("wrong").unwrap(), None);
        let cookie = door.exchange(&first).unwrap().unwrap();
        assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
        assert_eq!(door.exchange(&first).unwrap(), None);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, format!("{NAME}.localhost:4000").parse().unwrap());
        let pair = cookie.split(';').next().unwrap().to_owned();
        headers.insert(COOKIE, format!("other=1; {pair}").parse().unwrap());
        assert_eq!(door.principal(&headers), Some(Principal::local()));
        headers.insert(COOKIE, format!("{pair}x").parse().unwrap());
        assert_eq!(door.principal(&headers), None);
        door.renew().unwrap();
        let another = token(&door);
        assert_ne!(another, first);
        assert!(door.exchange(&another).unwrap().is_some());
        assert_eq!(door.exchange(&another).unwrap(), None);
    }

    #[test]
    fn a_cookie_counts_under_the_secret_name_only_and_a_bearer_everywhere() {
        let door = door();
        let cookie = door.exchange(&token(&door)).unwrap().unwrap();
        let pair = cookie.split(';').next().unwrap();
        let secret = pair.split_once('=').unwrap().1;
        let known = |host: &str, name: &HeaderName, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            headers.insert(name, value.parse().unwrap());
            door.principal(&headers).is_some()
        };
        assert!(known("THRONG-abcdefghijkmnpqrstuv.localhost:4000", &COOKIE, pair));
        for other in ["127.0.0.1:4000", "localhost:4000", "throng.localhost:4000", "[::1]:4000"] {
            assert!(!known(other, &COOKIE, pair), "{other}");
            assert!(known(other, &AUTHORIZATION, &format!("Bearer {secret}")), "{other}");
            assert!(!known(other, &AUTHORIZATION, secret), "{other}");
        }
    }

    #[test]
    fn only_an_unused_token_is_told_the_name() {
        let door = door();
        let first = token(&door);
        assert_eq!(door.address_for("wrong"), None);
        assert_eq!(door.address_for(&first), Some(format!("http://{NAME}.localhost:4000/?token={first}")));
        assert!(door.exchange(&first).unwrap().is_some(), "asking does not use it up");
        assert_eq!(door.address_for(&first), None);
    }

    #[test]
    fn an_address_that_no_name_resolves_to_is_its_own_host() {
        let door = Door::new(SocketAddr::from(([127, 0, 0, 2], 4000)), NAME).unwrap();
        assert!(door.url(None).starts_with("http://127.0.0.2:4000/?token="));
    }
}
