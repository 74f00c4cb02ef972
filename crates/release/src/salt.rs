//! The secret of a run: 32 random bytes from which everything is derived that outsiders must not be able to repeat.
//!
//! A release says its method, parameters and seed, and an attacker may know nearly all the data. Whatever follows from
//! these alone can be computed by trying: which record is whose, or whether a guess of the input is right. The salt is the
//! part that no outsider has. It is kept with the run and in the ledger, and is never published.
//!
//! # Guarantees
//! Keys for different purposes, and of runs with another method, parameters, variant or seed, have nothing to do with each
//! other (HMAC-SHA256 of the purpose under the salt), even where the salt is the same.

use std::collections::BTreeMap;
use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;
use throng_contract::{Class, Failure};
use throng_data::formats::Digest;
use throng_methods::Variant;

use crate::directory::hexadecimal;

const BYTES: usize = 32;

/// Prefix of a fingerprint that only the holder of its key can compute.
const KEYED: &str = "hmac-sha256:";

/// The secret of a run.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Salt([u8; BYTES]);

impl Salt {
    /// A new one from the operating system.
    pub fn fresh() -> Result<Self, Failure> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| {
            Failure::new(Class::Internal, format!("the system gives no random numbers: {error}"))
                .with_help("give 64 secret hexadecimal digits with {salt}")
        })?;
        Ok(Salt(bytes))
    }

    /// The salt of an earlier run, as [`Salt::hex`] wrote it.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = || {
            Failure::new(Class::Usage, "a salt is 64 hexadecimal digits").with_help(
                "copy `salt` from the `recipe.toml` of the kept run, or leave it out for a fresh one",
            )
        };
        let digits: Vec<u8> = text
            .chars()
            .map(|letter| letter.to_digit(16).map(|digit| digit as u8))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        let bytes: Vec<u8> =
            digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
        match digits.len() == 2 * BYTES {
            true => bytes.try_into().map(Salt).map_err(|_| wrong()),
            false => Err(wrong()),
        }
    }

    /// As it stands in a kept run and in a ledger.
    pub fn hex(&self) -> String {
        hexadecimal(&self.0)
    }

    /// What the order of a release's records is made from.
    pub fn order_key(
        &self,
        method: &str,
        parameters: &BTreeMap<String, Value>,
        variant: Variant,
        seed: u64,
    ) -> [u8; 32] {
        let parameters = serde_json::to_string(parameters).expect("parameters have string keys");
        let parts =
            [method.as_bytes(), parameters.as_bytes(), variant.name().as_bytes(), &seed.to_le_bytes()];
        self.key("order of records", &parts)
    }

    /// What noise is drawn from that hides people.
    pub fn noise_key(&self, seed: u64) -> [u8; 32] {
        self.key("noise", &[&seed.to_le_bytes()])
    }

    /// The fingerprint of a file, as it is published: who does not have the salt cannot tell whether a guess is right.
    pub fn fingerprint(&self, digest: &Digest) -> String {
        keyed_fingerprint(&self.key("fingerprints of inputs", &[]), digest)
    }

    fn key(&self, purpose: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = hmac(&self.0);
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            // With its length before it, no part can pass for the beginning of the next.
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// `hmac-sha256:HEX` of a file's SHA-256.
pub fn keyed_fingerprint(key: &[u8], digest: &Digest) -> String {
    let mac = hmac(key).chain_update(digest.bytes());
    format!("{KEYED}{}", hexadecimal(&mac.finalize().into_bytes()))
}

fn hmac(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of any length")
}

/// Never the salt itself: what is debugged ends in logs.
impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(secret)")
    }
}

impl From<Salt> for String {
    fn from(salt: Salt) -> Self {
        salt.hex()
    }
}

impl TryFrom<String> for Salt {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Salt::parse(&text).map_err(|_| "the salt is damaged")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salt_reads_back_as_written_and_is_never_shown() {
        let salt = Salt::fresh().unwrap();
        assert_eq!(Salt::parse(&salt.hex()).unwrap(), salt);
        assert_ne!(Salt::fresh().unwrap(), salt);
        assert_eq!(format!("{salt:?}"), "Salt(secret)");
        for wrong in ["", "ab", "zz".repeat(32).as_str(), "ab".repeat(33).as_str(), "ä".repeat(64).as_str()]
        {
            assert_eq!(Salt::parse(wrong).unwrap_err().class, Class::Usage, "{wrong}");
        }
    }

    #[test]
    fn keys_follow_from_everything_that_tells_runs_apart() {
        let salt = Salt([7; 32]);
        let parameters = |k: u64| BTreeMap::from([("k".to_owned(), Value::from(k))]);
        let base = salt.order_key("zga", &parameters(2), Variant::Sound, 1);
        let others = [
            Salt([8; 32]).order_key("zga", &parameters(2), Variant::Sound, 1),
            salt.order_key("sga", &parameters(2), Variant::Sound, 1),
            salt.order_key("zga", &parameters(3), Variant::Sound, 1),
            salt.order_key("zga", &parameters(2), Variant::AsPrinted, 1),
            salt.order_key("zga", &parameters(2), Variant::Sound, 2),
            salt.noise_key(1),
        ];
        assert!(others.iter().all(|other| *other != base));
        assert_eq!(base, salt.order_key("zga", &parameters(2), Variant::Sound, 1));
    }

    /// RFC 4231, test case 2.
    #[test]
    fn the_code_is_hmac_sha256() {
        let mac = hmac(b"Jefe").chain_update(b"what do ya want for nothing?").finalize().into_bytes();
        assert_eq!(hexadecimal(&mac), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
}
