//! What values look like that identify people.

use super::{IdentifierKind, Values};

/// Whether a value looks like something.
type Test = fn(&str) -> bool;

/// Values that are tried.
const TRIED: usize = 1_000;

/// Words of a value from which on, in the mean, it is a sentence.
const SENTENCE: usize = 5;

/// The kind of identifier that nearly all values look like.
pub(super) fn of(values: &Values<'_>) -> Option<IdentifierKind> {
    let tried = &values.distinct[..values.distinct.len().min(TRIED)];
    let nearly_all = |is: fn(&str) -> bool| {
        !tried.is_empty() && tried.iter().filter(|value| is(value)).count() * 10 >= tried.len() * 9
    };
    if nearly_all(is_email) {
        return Some(IdentifierKind::Email);
    }
    if nearly_all(is_iban) {
        return Some(IdentifierKind::Account);
    }
    if nearly_all(is_device) {
        return Some(IdentifierKind::Device);
    }
    // Few values that come back are codes that happen to look so.
    if !values.mostly_own() || values.distinct.len() < 2 {
        return None;
    }
    if nearly_all(is_uuid) {
        return Some(IdentifierKind::Device);
    }
    if nearly_all(is_card) {
        return Some(IdentifierKind::Account);
    }
    if nearly_all(is_social_security) {
        return Some(IdentifierKind::Document);
    }
    if nearly_all(is_telephone) {
        return Some(IdentifierKind::Telephone);
    }
    let text = !values.are_numbers() && words(values) >= SENTENCE && !are_measures(values);
    text.then_some(IdentifierKind::FreeText)
}

/// The kind of identifier that nearly all names of items look like. Codes of articles, drugs and places often look like telephone numbers and UUIDs.
pub(super) fn of_items(values: &Values<'_>) -> Option<IdentifierKind> {
    let tried = &values.distinct[..values.distinct.len().min(TRIED)];
    let nearly_all = |is: fn(&str) -> bool| {
        !tried.is_empty() && tried.iter().filter(|value| is(value)).count() * 10 >= tried.len() * 9
    };
    let international = |value: &str| value.starts_with('+') && is_telephone(value);
    let kinds: [(Test, IdentifierKind); 4] = [
        (is_email, IdentifierKind::Email),
        (is_iban, IdentifierKind::Account),
        (is_device, IdentifierKind::Device),
        (international, IdentifierKind::Telephone),
    ];
    kinds.into_iter().find(|(is, _)| nearly_all(*is)).map(|(_, kind)| kind)
}

/// Words of a value, in the mean: parts with two letters or more.
pub(super) fn words(values: &Values<'_>) -> usize {
    let tried = &values.distinct[..values.distinct.len().min(TRIED)];
    let is_word = |part: &&str| part.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    let all: usize = tried.iter().map(|value| value.split_whitespace().filter(is_word).count()).sum();
    all / tried.len().max(1)
}

/// Whether values are numbers with signs and units, positions or ranges: `12.5 kg`, `48.1, 11.5`, `POINT (1 2)`, `10-19`, `[20,30)`.
pub(super) fn are_measures(values: &Values<'_>) -> bool {
    let measure = |value: &&str| {
        let letters = value.chars().filter(|letter| letter.is_alphabetic()).count();
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let spaced = value.contains([' ', ',', '(', '[', '€', '$', '£', '%', '<', '>']);
        digits > 0 && (letters == 0 || spaced && letters <= 5 && digits >= letters)
    };
    values.distinct.iter().take(TRIED).all(measure)
}

fn is_email(value: &str) -> bool {
    let Some((person, host)) = value.split_once('@') else { return false };
    !person.is_empty()
        && host.split('.').count() > 1
        && host.split('.').all(|part| !part.is_empty())
        && !value.contains(char::is_whitespace)
        && !host.contains('@')
}

/// Two letters, two digits, and 11 to 30 letters and digits whose check digits are right.
fn is_iban(value: &str) -> bool {
    let signs: Vec<u8> = value.bytes().filter(|byte| *byte != b' ').collect();
    if !(15..=34).contains(&signs.len())
        || !signs[..2].iter().all(u8::is_ascii_uppercase)
        || !signs[2..4].iter().all(u8::is_ascii_digit)
        || !signs.iter().all(|sign| sign.is_ascii_digit() || sign.is_ascii_uppercase())
    {
        return false;
    }
    let turned = signs[4..].iter().chain(&signs[..4]);
    let rest = turned.fold(0_u32, |rest, sign| match sign {
        digit @ b'0'..=b'9' => (rest * 10 + u32::from(digit - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter - b'A') + 10) % 97,
    });
    rest == 1
}

/// 13 to 19 digits, in groups or not, whose check digit is right.
fn is_card(value: &str) -> bool {
    if !value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-')) {
        return false;
    }
    let digits: Vec<u32> =
        value.bytes().filter(u8::is_ascii_digit).map(|digit| u32::from(digit - b'0')).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match at % 2 {
            0 => *digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10)
}

fn is_social_security(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let digits =
        |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts[..], [area, group, serial] if digits(area, 3) && digits(group, 2) && digits(serial, 4))
}

/// Digits in groups: at least seven, with a sign between them or before the first.
fn is_telephone(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let signs = |sign: char| matches!(sign, '+' | '(' | ')' | ' ' | '-' | '.' | '/');
    let allowed = value.chars().all(|sign| sign.is_ascii_digit() || signs(sign));
    let groups = value.split(|sign: char| !sign.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    let points = value.matches('.').count();
    // A decimal number has one point, and a range one dash.
    let grouped = value.starts_with(['+', '('])
        || (groups >= 3 && points != 1)
        || value.starts_with('0') && groups == 2;
    allowed && grouped && !value.starts_with('-') && (7..=15).contains(&digits) && points != 1
}

fn has_parts(value: &str, sign: char, lengths: &[usize]) -> bool {
    let hexadecimal = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    value.split(sign).map(str::len).eq(lengths.iter().copied()) && value.split(sign).all(hexadecimal)
}

fn is_uuid(value: &str) -> bool {
    has_parts(value, '-', &[8, 4, 4, 4, 12])
}

/// A MAC or IP address.
fn is_device(value: &str) -> bool {
    has_parts(value, ':', &[2; 6])
        || has_parts(value, '-', &[2; 6])
        || value.parse::<std::net::IpAddr>().is_ok()
}
