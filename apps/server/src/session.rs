//! Who is let in: a one-time token in the printed address becomes a cookie.
//!
//! # Guarantees
//! A token works once. A browser that lost its cookie is told to look at the terminal, where a new address is printed: only
//! whoever sees the terminal gets in. The cookie is `HttpOnly` and `SameSite=Strict`, so that neither a script nor another site can
//! use it, and it ends with the server. Secrets are compared in constant time.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use throng_contract::{Class, Failure};

/// Tokens that may wait to be used; the oldest makes room.
const MOST_TOKENS: usize = 8;
/// Sessions kept at a time; the oldest makes room.
const MOST_SESSIONS: usize = 16;
/// Strangers do not fill the terminal: a new address at most so often.
const BETWEEN_ADDRESSES: Duration = Duration::from_secs(5);

/// The door of one server.
#[derive(Debug)]
pub struct Door {
    address: SocketAddr,
    keys: Mutex<Keys>,
    asking: Mutex<Asking>,
}

/// Whether somebody wants a new address, and when the last one was made.
#[derive(Debug, Default)]
struct Asking {
    wanted: bool,
    last: Option<Instant>,
}

#[derive(Debug)]
struct Keys {
    /// Tokens that were not used yet, the latest last.
    tokens: Vec<String>,
    sessions: Vec<String>,
}

impl Door {
    /// A door with a fresh token.
    pub fn new(address: SocketAddr) -> Result<Self, Failure> {
        let keys = Keys { tokens: vec![secret()?], sessions: Vec::new() };
        Ok(Door { address, keys: Mutex::new(keys), asking: Mutex::default() })
    }

    /// Where the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Makes another token, for another browser.
    pub fn renew(&self) -> Result<(), Failure> {
        let token = secret()?;
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.tokens.len() == MOST_TOKENS {
            keys.tokens.remove(0);
        }
        keys.tokens.push(token);
        Ok(())
    }

    /// Asks for a new address to be printed.
    pub fn ask(&self) {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner).wanted = true;
    }

    /// A new address, if somebody asked for one and the last is old enough.
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
            Some(token) => format!("http://{}/?token={token}{screen}", self.address),
            None => format!("http://{}/{screen}", self.address),
        }
    }

    /// Exchanges the token for the value of a cookie.
    pub fn exchange(&self, token: &str) -> Result<Option<String>, Failure> {
        let session = secret()?;
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = keys.tokens.iter().position(|own| same(own, token)) else { return Ok(None) };
        keys.tokens.remove(place);
        if keys.sessions.len() == MOST_SESSIONS {
            keys.sessions.remove(0);
        }
        keys.sessions.push(session.clone());
        Ok(Some(format!("{}={session}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name())))
    }

    /// Whether the request carries a cookie of ours.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let given: Vec<&str> = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter_map(|(key, value)| (key == name).then_some(value))
            .collect();
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        given.iter().any(|given| keys.sessions.iter().any(|session| same(session, given)))
    }

    /// Cookies do not tell ports apart, and two servers may run side by side.
    fn cookie_name(&self) -> String {
        format!("throng-{}", self.address.port())
    }
}

/// 192 random bits as text.
pub fn secret() -> Result<String, Failure> {
    random_text(48)
}

/// An identifier that nobody can guess and no file system minds.
pub fn identifier() -> Result<String, Failure> {
    random_text(16)
}

fn random_text(length: usize) -> Result<String, Failure> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(Class::Internal, format!("the system gives no random numbers: {error}"))
    })?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |unlike, (a, b)| unlike | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_get_one_new_address_at_a_time() {
        let door = Door::new(SocketAddr::from(([127, 0, 0, 1], 4000))).unwrap();
        let token = |url: &str| url.split_once("token=").unwrap().1.to_owned();
        let first = token(&door.url(None));
        assert!(door.exchange(&first).unwrap().is_some());
        assert_eq!(door.asked().unwrap(), None);
        door.ask();
        let second = token(&door.asked().unwrap().unwrap());
        door.ask();
        assert_eq!(door.asked().unwrap(), None, "the last address is too young");
        assert!(door.exchange(&first).unwrap().is_none());
        assert!(door.exchange(&second).unwrap().is_some());
        assert!(door.exchange(&second).unwrap().is_none());
    }

    #[test]
    fn a_token_opens_the_door_once() {
        let door = Door::new(SocketAddr::from(([127, 0, 0, 1], 4000))).unwrap();
        let token = door.url(None).split_once("token=").unwrap().1.to_owned();
        assert_eq!(door.exchange("wrong").unwrap(), None);
        let cookie = door.exchange(&token).unwrap().unwrap();
        assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
        assert_eq!(door.exchange(&token).unwrap(), None);
        let mut headers = HeaderMap::new();
        let pair = cookie.split(';').next().unwrap().to_owned();
        headers.insert(COOKIE, format!("other=1; {pair}").parse().unwrap());
        assert!(door.knows(&headers));
        headers.insert(COOKIE, format!("{pair}x").parse().unwrap());
        assert!(!door.knows(&headers));
        door.renew().unwrap();
        let another = door.url(None).split_once("token=").unwrap().1.to_owned();
        assert_ne!(another, token);
        assert!(door.exchange(&another).unwrap().is_some());
        assert_eq!(door.exchange(&another).unwrap(), None);
    }
}
