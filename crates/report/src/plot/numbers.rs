//! Numbers and names as text on a page, the same on every machine.

/// Text made safe for HTML and SVG, attributes included. What XML cannot hold is left out.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}

/// `1234567` as `1 234 567`, with spaces that do not break.
pub fn grouped(value: u64) -> String {
    group(&value.to_string())
}

fn group(digits: &str) -> String {
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number in about four digits: enough to compare by.
pub fn figures(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "–".to_owned();
    }
    if size != 0.0 && !(1e-4..1e12).contains(&size) {
        return format!("{value:.3e}");
    }
    let decimals = if value.fract() == 0.0 || size >= 1000.0 {
        0
    } else {
        (3 - size.log10().floor() as i32).clamp(1, 7) as usize
    };
    written(value, decimals)
}

/// A number with so many decimals at most, grouped, without zeros that say nothing.
pub(super) fn written(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let rest = rest.trim_end_matches('0');
    let sign =
        if value < 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) { "−" } else { "" };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{rest}", group(whole))
}

/// A share in percent that never rounds something to nothing, or nearly all to all.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    match value {
        _ if !value.is_finite() => "–".to_owned(),
        _ if value > 0.0 && value < 0.1 => "below 0.1\u{a0}%".to_owned(),
        _ if value > 99.9 && value < 100.0 => "above 99.9\u{a0}%".to_owned(),
        _ => format!("{}\u{a0}%", written(value, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_rounded_for_people() {
        assert_eq!([grouped(999), grouped(1_234_567)], ["999", "1\u{202f}234\u{202f}567"]);
        let texts = [0.0, 3.0, -0.25, 12.345_67, 0.012_345, 45_678.9, 1e-9].map(figures);
        assert_eq!(texts, ["0", "3", "−0.25", "12.35", "0.01235", "45\u{202f}679", "1.000e-9"]);
        assert_eq!([figures(f64::NAN), figures(-0.0)], ["–", "0"]);
    }

    #[test]
    fn shares_never_round_to_none_or_all() {
        let texts = [0.0, 0.00001, 0.1234, 0.9999, 1.0].map(percent);
        assert_eq!(texts, ["0\u{a0}%", "below 0.1\u{a0}%", "12.3\u{a0}%", "above 99.9\u{a0}%", "100\u{a0}%"]);
    }

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(escape("<b>&\"'\u{0}\u{1b}\n"), "&lt;b&gt;&amp;&quot;&#39; ");
    }
}
