//! Numbers as people write them.

/// A count with thousands set apart: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count of things: `1 person`, `12,345 people`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A share as a percentage; what is not quite nothing or all is not shown as that.
pub fn percent(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.001 => "less than 0.1%".to_owned(),
        share if share > 0.999 && share < 1.0 => "more than 99.9%".to_owned(),
        share => format!("{:.1}%", share * 100.0),
    }
}
