//! Random texts: secrets, identifiers, the name of the host of our pages; and how secrets are compared.

use throng_contract::{Class, Failure};

/// A name for the host of our pages that cannot be guessed: 100 random bits.
pub fn host_name() -> Result<String, Failure> {
    Ok(format!("{HOST_NAME}{}", random_text(20)?))
}

/// Whether a text is a name that [`host_name`] could have made.
pub fn is_host_name(text: &str) -> bool {
    let random = text.strip_prefix(HOST_NAME).unwrap_or_default();
    random.len() == 20 && random.bytes().all(|byte| LETTERS.contains(&byte))
}

/// 240 random bits as text.
pub fn secret() -> Result<String, Failure> {
    random_text(48)
}

/// Begins the name of the host of our pages.
const HOST_NAME: &str = "throng-";
/// Characters of an identifier.
const IDENTIFIER: usize = 16;
/// What random texts are made of.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// An identifier that cannot be guessed and that every file system takes.
pub fn identifier() -> Result<String, Failure> {
    random_text(IDENTIFIER)
}

/// Whether a text could be an identifier of ours.
pub fn is_identifier(text: &str) -> bool {
    text.len() == IDENTIFIER && text.bytes().all(|byte| LETTERS.contains(&byte))
}

fn random_text(length: usize) -> Result<String, Failure> {
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
    fn a_name_that_was_made_is_known_as_one() {
        let made = host_name().unwrap();
        assert!(is_host_name(&made) && !is_host_name("throng-x") && !is_host_name(&made.to_uppercase()));
    }

    #[test]
    fn an_identifier_is_a_text_of_its_own_form() {
        let made = identifier().unwrap();
        assert!(is_identifier(&made) && !is_identifier("../../etc/passwd") && !is_identifier(&made[1..]));
        assert!(same(&made, &made.clone()) && !same(&made, &made[1..]));
    }
}
