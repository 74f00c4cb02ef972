//! People as they are met, record after record.

use std::ops::ControlFlow;

use super::{Crowd, Matches};
use crate::attack::secrets::{Guess, Secrets};

/// People as they are met, record after record.
pub(super) struct Party<'c, 'a> {
    crowd: &'c Crowd<'a>,
    last: Option<u32>,
    people: u32,
    records: Vec<u32>,
    /// How many of them have each secret.
    secrets: Vec<u32>,
}

impl<'c, 'a> Party<'c, 'a> {
    pub fn new(crowd: &'c Crowd<'a>) -> Self {
        let secrets = vec![0; crowd.secrets.map_or(0, Secrets::len)];
        Party { crowd, last: None, people: 0, records: Vec::new(), secrets }
    }

    /// Records come in ascending order, so those of one person follow each other.
    pub fn meet(&mut self, record: u32) -> ControlFlow<()> {
        self.records.push(record);
        let owner = self.crowd.owner(record);
        if self.last == Some(owner) {
            return ControlFlow::Continue(());
        }
        self.last = Some(owner);
        self.people += 1;
        if let Some(secrets) = self.crowd.secrets {
            secrets.of(owner).iter().for_each(|secret| self.secrets[*secret as usize] += 1);
        }
        if self.people == self.crowd.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn found(self, complete: bool) -> Matches {
        let guess = Guess::best(&self.secrets);
        Matches { people: self.people, guess, records: complete.then_some(self.records) }
    }
}
