//! Whether merging places can ever be enough, and what to take away when it cannot.
//!
//! Merging all places into one leaves only lengths to tell people apart. So a k^m-anonymous generalisation exists
//! exactly if, for every length `j` up to `m`, either no person or at least `k` people have a record of `j` events or
//! more. Where that fails, something must be suppressed, and the publisher says what.

use throng_contract::{Fraction, Progress, choices, help};
use throng_data::Events;

use crate::MethodError;

choices! {
    /// What to do when generalisation alone cannot keep the promise.
    pub enum Policy {
        /// Give up.
        Fail = "fail",
        /// Cut the end off records that are longer than enough others.
        Truncate = "truncate",
        /// Remove the events of such records altogether.
        Drop = "drop",
    }
}

/// For each length `j` in `1..=m`, the number of people with a record of at least `j` events; `[j - 1]`.
pub fn length_profile(events: &Events, m: usize) -> Vec<u64> {
    profile_of(events, 0..events.subjects(), m)
}

/// The same of some people.
pub(crate) fn profile_of(events: &Events, people: impl Iterator<Item = usize>, m: usize) -> Vec<u64> {
    let mut profile = vec![0; m];
    for subject in people {
        let longest = events.records_of(subject).map(|record| events.span(record).len()).max().unwrap_or(0);
        if let Some(count) = longest.min(m).checked_sub(1) {
            profile[count] += 1;
        }
    }
    for j in (1..m).rev() {
        profile[j - 1] += profile[j];
    }
    profile
}

/// The longest length up to `m` that `k` people reach, if some people reach further but too few; else `None`.
pub(crate) fn breaking_length(profile: &[u64], k: u64) -> Option<usize> {
    let enough = profile.iter().take_while(|people| **people >= k).count();
    (enough < profile.len() && profile[enough] > 0).then_some(enough)
}

/// Events for which a k^m-anonymous generalisation exists: `None` when the given ones will do, or a copy
/// with as much taken away as the policy says, capped at `max_suppressed` of all events.
pub fn ensure(
    events: &Events,
    k: u64,
    m: usize,
    policy: Policy,
    max_suppressed: Fraction,
    progress: &Progress,
) -> Result<Option<Events>, MethodError> {
    let _phase = progress.phase("check feasibility", None);
    let mut current: Option<Events> = None;
    // Dropping records can leave a shorter length short of people, so the test is repeated until it passes.
    loop {
        let looked_at = current.as_ref().unwrap_or(events);
        let profile = length_profile(looked_at, m);
        let Some(enough) = breaking_length(&profile, k) else { break };
        let reason = format!(
            "{} people have {} or more events in a record, fewer than k = {k}: no generalisation can hide them",
            profile[enough],
            enough + 1
        );
        let kept = match policy {
            Policy::Fail => {
                return Err(MethodError::Infeasible {
                    why: reason,
                    help: if enough == 0 {
                        "lower {k}: it exceeds the number of people".into()
                    } else {
                        help!(
                            "use {infeasible truncate} to cut such records to $ events, {infeasible drop} to leave them out, or a smaller `k` or `m`",
                            enough
                        )
                    },
                });
            }
            Policy::Truncate => looked_at.retain(|_, position, _| position < enough),
            Policy::Drop => looked_at.retain(|record, _, _| looked_at.span(record).len() <= enough),
        };
        progress.check()?;
        let suppressed = (events.len() - kept.len()) as u64;
        if max_suppressed.is_exceeded_by(suppressed, events.len() as u64) {
            return Err(MethodError::Infeasible {
                why: format!(
                    "{reason}; suppressing them takes {suppressed} of {} events, more than the limit of {max_suppressed}",
                    events.len()
                ),
                help: "raise {max-suppressed}, or use a smaller `k` or `m`".into(),
            });
        }
        current = Some(kept);
    }
    Ok(current)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_data::Dataset;

    fn lengths(words: &[&str], policy: Policy) -> Result<Vec<usize>, MethodError> {
        let data = Dataset::from_words(words.iter().copied());
        let kept = ensure(&data.events, 2, 2, policy, Fraction::ONE, &Progress::silent())?;
        let events = kept.unwrap_or(data.events);
        Ok((0..events.records()).map(|record| events.record(record).len()).collect())
    }

    #[test]
    fn a_lone_long_record_is_infeasible_until_something_is_taken_away() {
        let words = ["ab", "a", "c"];
        assert!(matches!(lengths(&words, Policy::Fail), Err(MethodError::Infeasible { .. })));
        assert_eq!(lengths(&words, Policy::Truncate), Ok(vec![1, 1, 1]));
        assert_eq!(lengths(&words, Policy::Drop), Ok(vec![0, 1, 1]));
    }

    #[test]
    fn dropping_goes_on_while_it_strands_shorter_records() {
        assert_eq!(lengths(&["ab", "a"], Policy::Drop), Ok(vec![0, 0]));
    }

    #[test]
    fn lengths_beyond_m_do_not_count() {
        assert_eq!(lengths(&["abcd", "ab"], Policy::Fail), Ok(vec![4, 2]));
    }

    #[test]
    fn the_cap_counts_events() {
        let data = Dataset::from_words(["abc", "a", "a", "a", "a"]);
        let cap = Fraction::new(1, 10).unwrap();
        let error = ensure(&data.events, 2, 3, Policy::Truncate, cap, &Progress::silent()).unwrap_err();
        assert!(error.to_string().ends_with("takes 2 of 7 events, more than the limit of 0.1"), "{error}");
    }
}
