//! What every group of a released table must satisfy: a size, and what its sensitive values look like.
//!
//! All of it is closed under union of disjoint groups: sizes add up, entropy is concave, earth mover's distance is convex, and for
//! recursive diversity both sides of the inequality add up. Groups may therefore be merged freely; a group that fails may
//! be cured by a merge, and a good one may be spoilt only by a bad one.
//!
//! MissingValue sensitive values are left out ([`MissingValue`]): a group is judged by the values that are there, and one without any satisfies
//! everything but the size. Both are closed under union, too.

use throng_contract::{Choice, Fraction, Settings, help};
use throng_data::{ColumnKind, Dataset, Domain, Role};
use throng_models::choices::{Emd, MissingValue, Variety};

use super::params::{K, OfSecrets};
use crate::{Also, MethodError};

/// Entropy below this is rounding.
const ROUNDING: f64 = 1e-12;

/// How far apart two sensitive values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// All equally far.
    Equal,
    /// By the number of values between them.
    Ordered,
}

impl Distance {
    fn of(emd: Emd, kind: ColumnKind) -> Distance {
        match emd.is_ordered(kind == ColumnKind::Category) {
            true => Distance::Ordered,
            false => Distance::Equal,
        }
    }
}

/// A sensitive column.
#[derive(Debug, Clone)]
pub struct Secret {
    /// Its name.
    pub name: String,
    /// The value of each person, coded in the order of values.
    pub codes: Vec<u32>,
    /// People by value.
    pub overall: Vec<u32>,
    /// Codes from here on are left out: a missing value is the last.
    known: u32,
    distance: Distance,
}

/// How often each sensitive value occurs in a group, ascending by value; values that do not occur are left out.
pub type Tally = [(u32, u32)];

/// l-diversity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diversity {
    /// Which form.
    pub form: Variety,
    /// Values that must be well represented.
    pub l: u64,
    /// The factor of the recursive form.
    pub c: f64,
}

/// Everything that is asked of a group.
#[derive(Debug, Clone)]
pub struct Demands {
    /// Smallest size.
    pub k: u32,
    /// l-diversity, if asked for.
    pub diversity: Option<Diversity>,
    /// t-closeness, if asked for.
    pub closeness: Option<Fraction>,
    /// The sensitive columns; empty when nothing is asked of them.
    pub secrets: Vec<Secret>,
    missing: MissingValue,
    emd: Emd,
}

impl Demands {
    /// What the settings of a method for tables ask for.
    pub fn read(settings: &Settings, data: &Dataset) -> Result<Demands, MethodError> {
        Demands::new(K.of(settings), &OfSecrets::of(settings), data)
    }

    /// What is asked of groups of these people.
    pub(super) fn new(k: u64, asked: &OfSecrets, data: &Dataset) -> Result<Demands, MethodError> {
        let k = u32::try_from(k).unwrap_or(u32::MAX);
        let OfSecrets { l, form, c, t, emd, missing } = *asked;
        let diversity = (l > 1).then_some(Diversity { form, l, c });
        let closeness = Some(t).filter(|t| *t < Fraction::ONE);
        let mut demands = Demands { k, diversity, closeness, secrets: Vec::new(), missing, emd };
        if diversity.is_none() && closeness.is_none() {
            return Ok(demands);
        }
        let columns = data.attributes.iter().flat_map(|table| &table.columns);
        for column in columns.filter(|column| column.role == Some(Role::Sensitive)) {
            let domain = Domain::of(column, None).map_err(|error| MethodError::BadData {
                what: format!("column `{}`: {error}", column.name),
                help: "check the values of the column".into(),
            })?;
            demands.secrets.push(Secret::new(domain, emd, missing));
        }
        if demands.secrets.is_empty() {
            return Err(MethodError::Usage {
                what: "l-diversity and t-closeness need a sensitive column, and none is sensitive".to_owned(),
                help: "name it with {sensitive-attribute COLUMN}, or leave out `l` and `t`".into(),
            });
        }
        Ok(demands)
    }

    /// Whether only the size of a group matters.
    pub fn only_size(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The part that stays broken in every part of a broken group, whatever is taken away from the data: sizes and numbers of distinct
    /// values. Other forms of diversity and closeness imply it, and are not so well-behaved when rows may be suppressed. Where values are left
    /// out, a broken group may have a good part without any: then sizes alone are hereditary.
    #[must_use]
    pub fn hereditary(&self) -> Demands {
        let diversity = self.diversity.filter(|_| !self.leaves_out());
        let diversity = diversity.map(|diversity| Diversity { form: Variety::Distinct, ..diversity });
        let secrets = if diversity.is_some() { self.secrets.clone() } else { Vec::new() };
        Demands { diversity, closeness: None, secrets, ..self.clone() }
    }

    /// Whether [`Demands::hereditary`] is all of it.
    pub fn is_hereditary(&self) -> bool {
        let distinct = |diversity: Diversity| diversity.form == Variety::Distinct && !self.leaves_out();
        self.closeness.is_none() && self.diversity.is_none_or(distinct)
    }

    /// Whether a value is missing and left out.
    fn leaves_out(&self) -> bool {
        self.secrets.iter().any(|secret| secret.left_out() > 0)
    }

    /// Notes, and what the publisher should know of values that were left out.
    pub fn with_notes(&self, mut notes: Vec<String>) -> Vec<String> {
        let left_out = self.secrets.iter().filter(|secret| secret.left_out() > 0);
        let note = |secret: &Secret| {
            format!(
                "{} of {} values of `{}` are missing and do not count for l-diversity and t-closeness; `--missing value` counts them",
                secret.left_out(),
                secret.codes.len(),
                secret.name
            )
        };
        notes.extend(left_out.map(note));
        notes
    }

    /// Whether a group satisfies everything. `tally` gives the values of a sensitive column in the group.
    pub fn met<'a>(&self, size: u64, mut tally: impl FnMut(usize) -> &'a Tally) -> bool {
        size >= u64::from(self.k)
            && self.secrets.iter().enumerate().all(|(number, secret)| {
                let values = tally(number);
                self.known_diverse(secret, values) && self.close(secret, values, &secret.overall)
            })
    }

    /// Whether the values are l-diverse, if that was asked for, each of them a value.
    pub fn diverse(&self, values: &Tally) -> bool {
        self.diversity.is_none_or(|diversity| diversity.holds(values))
    }

    /// Whether the values that are not left out are l-diverse, if that was asked for. Where all are left out there is nothing to learn.
    pub fn known_diverse(&self, secret: &Secret, values: &Tally) -> bool {
        let known = secret.known(values);
        self.diversity
            .is_none_or(|diversity| known.is_empty() && !values.is_empty() || diversity.holds(known))
    }

    /// Whether the values are close enough to those of `overall`, if that was asked for.
    pub fn close(&self, secret: &Secret, values: &Tally, overall: &[u32]) -> bool {
        let overall = &overall[..secret.known as usize];
        self.closeness.is_none_or(|t| is_close(t, secret.distance, secret.known(values), overall))
    }

    /// Why not even one group of all people is good enough.
    pub fn infeasible(&self, people: u64) -> Option<MethodError> {
        let k = u64::from(self.k);
        if people < k {
            return Some(MethodError::Infeasible {
                why: format!("{people} people cannot hide in groups of at least {k}"),
                help: help!("lower `k` to at most $", people),
            });
        }
        let diversity = self.diversity?;
        for secret in &self.secrets {
            let all: Vec<(u32, u32)> =
                (0..).zip(&secret.overall).filter(|(_, n)| **n > 0).map(|(v, n)| (v, *n)).collect();
            if self.known_diverse(secret, &all) {
                continue;
            }
            let all = secret.known(&all);
            let most = all.iter().map(|(_, count)| *count).max().unwrap_or(0);
            return Some(MethodError::Infeasible {
                why: format!(
                    "column `{}` has {} different values, the most frequent of them with {most} of {people} people: not even one \
                     group of everybody is diverse enough for l = {}",
                    secret.name,
                    all.len(),
                    diversity.l
                ),
                help: "lower `l`, or choose another `form`".into(),
            });
        }
        None
    }

    /// The promises beside k that a release keeps.
    pub fn also(&self) -> Vec<Also> {
        let mut also = Vec::new();
        let missing = ("missing".to_owned(), self.missing.word().to_owned());
        if let Some(Diversity { form, l, c }) = self.diversity {
            let form = form.word().to_owned();
            let settings = vec![
                ("l".to_owned(), l.to_string()),
                ("form".to_owned(), form),
                ("c".to_owned(), c.to_string()),
                missing.clone(),
            ];
            also.push(Also { promise: "l-diversity", settings });
        }
        if let Some(t) = self.closeness {
            let settings = vec![
                ("t".to_owned(), t.to_string()),
                ("emd".to_owned(), self.emd.word().to_owned()),
                missing,
            ];
            also.push(Also { promise: "t-closeness", settings });
        }
        also
    }
}

impl Secret {
    fn new(domain: Domain, emd: Emd, missing: MissingValue) -> Secret {
        let mut overall = vec![0; domain.len()];
        for code in &domain.codes {
            overall[*code as usize] += 1;
        }
        let distance = Distance::of(emd, domain.kind);
        let left_out = missing == MissingValue::LeftOut && domain.values.last().is_some_and(String::is_empty);
        let known = (domain.len() - usize::from(left_out)) as u32;
        Secret { name: domain.name, codes: domain.codes, overall, known, distance }
    }

    /// The values that are not left out.
    fn known<'a>(&self, values: &'a Tally) -> &'a Tally {
        &values[..values.partition_point(|(value, _)| *value < self.known)]
    }

    /// How many people have a value that is left out.
    fn left_out(&self) -> u32 {
        self.overall[self.known as usize..].iter().sum()
    }
}

impl Diversity {
    /// Whether a group with these values is diverse.
    pub fn holds(&self, values: &Tally) -> bool {
        let total: u64 = values.iter().map(|(_, count)| u64::from(*count)).sum();
        match self.form {
            Variety::Distinct => values.len() as u64 >= self.l,
            Variety::Entropy => {
                let weighted: f64 =
                    values.iter().map(|(_, count)| f64::from(*count) * f64::from(*count).ln()).sum();
                let total = total as f64;
                total > 0.0 && total.ln() - weighted / total >= (self.l as f64).ln() - ROUNDING
            }
            Variety::Recursive => {
                let mut counts: Vec<u32> = values.iter().map(|(_, count)| *count).collect();
                counts.sort_unstable_by(|a, b| b.cmp(a));
                let from = usize::try_from(self.l).unwrap_or(usize::MAX).saturating_sub(1);
                let tail: u64 = counts.iter().skip(from).map(|count| u64::from(*count)).sum();
                // Not below by rounding alone: what the checker compares exactly must not be decided by the last bit.
                counts.first().is_some_and(|most| {
                    let most = f64::from(*most);
                    self.c * tail as f64 - most > 1e-9 * most.max(1.0)
                })
            }
        }
    }
}

/// Whether the earth mover's distance between a group and all people is at most `t`, in whole numbers: with `n` people in the group
/// and `N` in all, distances are multiples of `1 / (n N)`. Values that no person has do not lie between others.
fn is_close(t: Fraction, distance: Distance, values: &Tally, overall: &[u32]) -> bool {
    let wide = |count: u32| i128::from(count);
    let (mut group, mut all): (i128, i128) = (0, 0);
    values.iter().for_each(|(_, count)| group += wide(*count));
    overall.iter().for_each(|count| all += wide(*count));
    let mut moved: i128 = 0;
    let mut carried: i128 = 0;
    let mut next = values.iter().peekable();
    let mut present: i128 = 0;
    for (value, count) in (0..).zip(overall).filter(|(_, count)| **count > 0) {
        present += 1;
        let here = next.next_if(|(at, _)| *at == value).map_or(0, |(_, count)| *count);
        let excess = wide(here) * all - wide(*count) * group;
        carried += excess;
        moved += match distance {
            Distance::Equal => excess.abs(),
            Distance::Ordered => carried.abs(),
        };
    }
    let steps = match distance {
        Distance::Equal => 2,
        Distance::Ordered => (present - 1).max(1),
    };
    moved * i128::from(t.denominator()) <= i128::from(t.numerator()) * steps * group * all
}

/// Counts the sensitive values of one group after another, without touching values that do not occur.
#[derive(Debug, Clone, Default)]
pub struct Counter {
    counts: Vec<u32>,
    tally: Vec<(u32, u32)>,
}

impl Counter {
    /// The tally of these values.
    pub fn tally(&mut self, codes: impl Iterator<Item = u32>) -> &Tally {
        for (code, _) in self.tally.drain(..) {
            self.counts[code as usize] = 0;
        }
        for code in codes {
            if code as usize >= self.counts.len() {
                self.counts.resize(code as usize + 1, 0);
            }
            let count = &mut self.counts[code as usize];
            if *count == 0 {
                self.tally.push((code, 0));
            }
            *count += 1;
        }
        self.tally.sort_unstable();
        for (code, count) in &mut self.tally {
            *count = self.counts[*code as usize];
        }
        &self.tally
    }
}

#[cfg(test)]
mod tests;
