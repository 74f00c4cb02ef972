//! What a world's data look like, in numbers that its tests measure again.

use std::fmt;

/// The measured character of a default world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Character {
    /// Number of people.
    pub subjects: u64,
    /// Number of different items.
    pub items: u64,
    /// What an item is, in the plural.
    pub noun: &'static str,
    /// Number of events.
    pub events: u64,
    /// Events of the person with most.
    pub longest: u64,
    /// Percentage of people singled out by two of their own events, in order (with times, if there are any).
    pub singled_out_by_2: f64,
    /// Percentage of people singled out by four of them.
    pub singled_out_by_4: f64,
}

impl Character {
    /// Events a person, on average.
    pub fn mean_length(&self) -> f64 {
        self.events as f64 / self.subjects as f64
    }
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} people, {} {}, {} events; {:.2} events a person on average, {} at most; 2 known events single \
             out {:.1}% of people, 4 single out {:.1}%",
            grouped(self.subjects),
            grouped(self.items),
            self.noun,
            grouped(self.events),
            self.mean_length(),
            grouped(self.longest),
            self.singled_out_by_2,
            self.singled_out_by_4,
        )
    }
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            [7, 100, 1_000, 18_143, 1_000_000].map(grouped),
            ["7", "100", "1,000", "18,143", "1,000,000"]
        );
    }
}
