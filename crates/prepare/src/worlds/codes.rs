//! Codes of the patient world: what is written down about a patient, as a set, with a taxonomy.
//!
//! The codes follow the letters of the International Classification of Diseases. Everybody has a code of their diagnosis;
//! the older a patient, the more of the others.

use super::draw::Draw;

/// Code, block and chapter.
pub(super) const CODES: [(&str, &str, &str); 34] = [
    ("S52", "S50-S59", "injury"),
    ("S72", "S70-S79", "injury"),
    ("S82", "S80-S89", "injury"),
    ("S06", "S00-S09", "injury"),
    ("W19", "W00-W19", "injury"),
    ("I21", "I20-I25", "circulation"),
    ("I25", "I20-I25", "circulation"),
    ("I50", "I30-I52", "circulation"),
    ("I48", "I30-I52", "circulation"),
    ("I63", "I60-I69", "circulation"),
    ("I10", "I10-I15", "circulation"),
    ("G40", "G40-G47", "nervous-system"),
    ("G47", "G40-G47", "nervous-system"),
    ("G81", "G80-G83", "nervous-system"),
    ("C18", "C15-C26", "growths"),
    ("C34", "C30-C39", "growths"),
    ("C50", "C50-C50", "growths"),
    ("C78", "C76-C80", "growths"),
    ("B16", "B15-B19", "infection"),
    ("B18", "B15-B19", "infection"),
    ("F10", "F10-F19", "mind"),
    ("F17", "F10-F19", "mind"),
    ("F32", "F30-F39", "mind"),
    ("F33", "F30-F39", "mind"),
    ("F41", "F40-F48", "mind"),
    ("O80", "O80-O84", "family"),
    ("O82", "O80-O84", "family"),
    ("D50", "D50-D53", "blood"),
    ("E11", "E10-E14", "metabolism"),
    ("E66", "E65-E68", "metabolism"),
    ("E78", "E70-E90", "metabolism"),
    ("J44", "J40-J47", "breathing"),
    ("M17", "M15-M19", "joints"),
    ("N18", "N17-N19", "kidneys"),
];

/// Codes that may come with any diagnosis, with their chance at the age of fifty; it grows with age.
const COMMON: [(&str, f64); 12] = [
    ("I10", 0.30),
    ("E78", 0.18),
    ("E11", 0.12),
    ("E66", 0.14),
    ("M17", 0.10),
    ("F17", 0.12),
    ("J44", 0.06),
    ("N18", 0.05),
    ("I25", 0.05),
    ("F10", 0.04),
    ("G47", 0.05),
    ("D50", 0.04),
];

/// What an attacker may know together, a set a line.
pub(super) const POLICY: [&str; 6] = ["I10,E78", "I10,E11,E66", "F17,J44", "I10,M17", "E66,F17", "E78,F17"];

/// The tree.
pub(super) fn taxonomy() -> String {
    CODES.iter().map(|(code, block, chapter)| format!("{code};{block};{chapter};*\n")).collect()
}

/// Codes that say too much about a person.
pub(super) const SENSITIVE: [&str; 3] = ["B18", "F10", "F33"];

/// Draws the codes of a patient, sorted: one of those of the diagnosis, now and then a second, and what else there is.
pub(super) fn draw(own: &[&'static str], age: u32, draw: &mut Draw) -> Vec<&'static str> {
    let main = own[draw.below(own.len() as u32) as usize];
    let mut codes = vec![main];
    if draw.chance(0.2) {
        codes.push(own[draw.below(own.len() as u32) as usize]);
    }
    let older = f64::from(age) / 50.0;
    codes.extend(COMMON.iter().filter(|(_, chance)| draw.chance(chance * older)).map(|(code, _)| *code));
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_listed_once_and_the_policy_knows_no_other() {
        let known: BTreeSet<&str> = CODES.iter().map(|(code, ..)| *code).collect();
        assert_eq!(known.len(), CODES.len());
        assert!(COMMON.iter().all(|(code, _)| known.contains(code)));
        assert!(SENSITIVE.iter().all(|code| known.contains(code)));
        assert!(POLICY.iter().flat_map(|set| set.split(',')).all(|code| known.contains(code)));
    }
}
