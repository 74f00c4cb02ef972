//! Where candidates are tried: on the sample first, the best on all people.
//!
//! The cheapest are tried first, with their defaults; other words of their choices only for the methods that did best. What would be
//! more work than is left is not begun.

use std::cmp::Ordering;

use throng_contract::{Failure, Progress, Scale};

use super::candidates::Candidate;
use super::effort::{Effort, Untried, work};
use super::trial::{Trial, attempt};
use super::{COMPARED, LIMIT_ON_ALL, Request, TRIED_ON_ALL, rank};
use throng_data::load::Loaded;
use throng_release::load::load;
use throng_release::{catalogue, identifiers, sample};

/// A sample has no more events than this, unless its people would be too few.
const EVENTS: usize = 250_000;
/// The fewest people of a sample that was cut for its events.
const FEWEST: usize = 200;
/// So many methods are tried with other words of their choices.
const VARIED: usize = 2;
/// Of all work, this share may go into trials on the sample.
const ON_SAMPLE: f64 = 0.5;
/// Of the work that is then left, this share may go into trials on all people.
const ON_ALL: f64 = 0.6;

/// Where candidates are tried.
pub(super) struct Bench<'a> {
    pub request: &'a Request,
    pub progress: &'a Progress,
    /// People in the data, once these were read.
    pub people: u64,
    /// People tried on, when these are not all.
    pub sample: Option<u64>,
    /// What may still be done.
    pub effort: Effort,
    /// What was left out.
    pub untried: Vec<Untried>,
}

/// A method with its data and all that may be tried with it.
struct Group<'a> {
    candidates: &'a [Candidate],
    loaded: Loaded,
    work: f64,
}

impl Bench<'_> {
    /// Tries candidates on the sample. Data are read once a method.
    pub fn try_all(&mut self, candidates: &[Candidate], scale: &Scale) -> Result<Vec<Trial>, Failure> {
        let phase = self.progress.phase("try methods", Some(candidates.len() as u64));
        let mut groups = Vec::new();
        for candidates in candidates.chunk_by(|a, b| a.method == b.method) {
            let loaded = self.load_sample(&candidates[0])?;
            groups.push(Group { work: work(&candidates[0], &loaded.data)?, candidates, loaded });
        }
        // A stable sort: what costs as much stays in the order of the catalogue.
        groups.sort_by(|a, b| a.work.total_cmp(&b.work));
        let mut effort = self.effort.set_apart(ON_SAMPLE);
        let mut trials: Vec<Trial> = Vec::new();
        for group in &groups {
            phase.now(&group.candidates[0].method);
            // There should be an answer, whatever the data: the cheapest one is tried.
            let first = trials.is_empty() && self.untried.is_empty();
            self.try_one(group, &group.candidates[0], first, &mut effort, &mut trials)?;
            phase.advance(1)?;
        }
        rank(&mut trials, scale, &self.request.promise);
        let mut best: Vec<&str> = Vec::new();
        for trial in trials.iter().filter(|trial| trial.kept().is_some()) {
            if best.len() < VARIED && !best.contains(&trial.candidate.method.as_str()) {
                best.push(&trial.candidate.method);
            }
        }
        let place = |group: &Group<'_>| best.iter().position(|name| *name == group.candidates[0].method);
        let mut varied: Vec<(usize, &Group<'_>)> =
            groups.iter().filter_map(|group| Some((place(group)?, group))).collect();
        varied.sort_by_key(|(place, _)| *place);
        for (_, group) in varied {
            for candidate in &group.candidates[1..] {
                phase.now(&candidate.method);
                self.try_one(group, candidate, false, &mut effort, &mut trials)?;
                phase.advance(1)?;
            }
        }
        self.effort.regain(effort);
        Ok(trials)
    }

    /// Tries a candidate where there is work left for it, and keeps what came of it unless it made no difference.
    fn try_one(
        &mut self,
        group: &Group<'_>,
        candidate: &Candidate,
        anyhow: bool,
        effort: &mut Effort,
        trials: &mut Vec<Trial>,
    ) -> Result<(), Failure> {
        match (effort.spend(group.work), anyhow) {
            (true, _) => {}
            (false, true) => effort.owe(group.work),
            (false, false) => {
                let people = group.loaded.data.events.subjects() as u64;
                self.untried.push(Untried { candidate: candidate.clone(), people, work: group.work });
                return Ok(());
            }
        }
        let (request, loaded) = (self.request, group.loaded.clone());
        let trial = attempt(request, candidate, loaded, request.limit, self.progress)?;
        // Two methods that come to the same release of the same promise are one choice.
        let same = |earlier: &Trial| {
            let (one, other) = (&earlier.candidate, &trial.candidate);
            let alike = one.method == other.method || (one.keeps == other.keeps && trial.kept().is_some());
            alike && earlier.result == trial.result
        };
        if !trials.iter().any(same) {
            trials.push(trial);
        }
        Ok(())
    }

    /// Runs the best of each method on all people, until enough of them kept the promise. What failed on the sample may
    /// succeed on all people, who share more; it comes last.
    pub fn confirm(&mut self, ranked: &[Trial]) -> Result<Vec<Trial>, Failure> {
        let phase = self.progress.phase("try on all people", Some(COMPARED as u64));
        let mut effort = self.effort.set_apart(ON_ALL);
        let mut on_all: Vec<Trial> = Vec::new();
        for Trial { candidate, .. } in ranked {
            let done = on_all.iter().filter(|trial| trial.kept().is_some()).count();
            if done >= COMPARED || on_all.len() >= TRIED_ON_ALL {
                break;
            }
            if on_all.iter().any(|trial| trial.candidate.method == candidate.method) {
                continue;
            }
            let loaded = self.load(candidate)?;
            let work = work(candidate, &loaded.data)?;
            if !effort.spend(work) {
                self.untried.push(Untried { candidate: candidate.clone(), people: self.people, work });
                continue;
            }
            phase.now(&candidate.method);
            let limit = self.request.limit.saturating_mul(LIMIT_ON_ALL);
            on_all.push(attempt(self.request, candidate, loaded, limit, self.progress)?);
            phase.advance(1)?;
        }
        self.effort.regain(effort);
        Ok(on_all)
    }

    /// The data as a candidate needs them.
    pub fn load(&self, candidate: &Candidate) -> Result<Loaded, Failure> {
        let method = catalogue::method(&candidate.method)?.descriptor();
        let loaded = load(&self.request.files, method, &self.progress.muted())?;
        // What `anonymize` would refuse is not worth a recommendation.
        identifiers::admit(&loaded, &self.request.files, method)?;
        Ok(loaded)
    }

    /// The same of the people of the sample.
    pub fn load_sample(&mut self, candidate: &Candidate) -> Result<Loaded, Failure> {
        let loaded = self.load(candidate)?;
        let events = &loaded.data.events;
        self.people = events.subjects() as u64;
        let mut most = self.request.sample;
        let tried = events.len() / events.subjects().max(1) * most.min(events.subjects());
        if tried.cmp(&EVENTS) == Ordering::Greater {
            most = most.min((events.subjects() * EVENTS / events.len()).max(FEWEST));
        }
        Ok(match sample::draw(&loaded.data, most, self.request.seed) {
            Some(people) => {
                self.sample = Some(people.len() as u64);
                sample::restrict(&loaded, &people)
            }
            None => loaded,
        })
    }
}
