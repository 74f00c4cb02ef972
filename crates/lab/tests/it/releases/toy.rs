//! A method and a promise small enough to read at a glance, and a folder with data for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use throng_contract::{
    BodyKind, DataKind, Descriptor, DescriptorKind, Input, Key, Need, Product, Progress, Settings,
};
use throng_data::formats::Source;
use throng_data::{Body, GeneralisedItem, ItemId, Nature, Release, Suppression};
use throng_lab::{Files, Job, Limits, Run, Salt, Target, Verification};
use throng_methods::{Explanation, Method, MethodError, Outcome, Reason, Task, Variant};
use throng_models::{CheckError, Evidence, Promise, Verdict, Violation};

const K: Key<u64> = Key::integer("k", 1..=1000, "people who must share an item");

/// Every released item is shared by at least `k` people.
pub struct Shared;

static SHARED: Descriptor = Descriptor {
    name: "shared",
    purpose: "every item is shared",
    takes: &[DataKind::Sequences, DataKind::Sets],
    params: &[K.setting],
    paper: "",
    example: "",
    notes: "Says nothing about two items together.",
    ..Descriptor::blank(DescriptorKind::Promise)
};

impl Promise for Shared {
    fn descriptor(&self) -> &'static Descriptor {
        &SHARED
    }

    fn statement(&self, settings: &Settings) -> String {
        format!("Every item is shared by at least {} people.", K.of(settings))
    }

    fn symbols(&self, settings: &Settings) -> String {
        format!("∀ a: |P(a)| ≥ {}", K.of(settings))
    }

    fn check(
        &self,
        evidence: &Evidence<'_>,
        settings: &Settings,
        list: usize,
        _: &Progress,
    ) -> Result<Verdict, CheckError> {
        let release = evidence.release;
        let needed = K.of(settings);
        let people = people(release.alphabet.len(), release.events());
        let broken = |people: u64| people > 0 && people < needed;
        let violations: Vec<Violation> = people
            .iter()
            .enumerate()
            .filter(|(_, people)| broken(**people))
            .map(|(item, people)| Violation {
                pattern: vec![release.name(item as ItemId)],
                support: *people,
                needed,
                details: BTreeMap::new(),
            })
            .collect();
        Ok(Verdict {
            promise: SHARED.name,
            holds: violations.is_empty(),
            checked: people.iter().filter(|people| **people > 0).count() as u64,
            violations_total: violations.len() as u64,
            violations: violations.into_iter().take(list).collect(),
            ..Verdict::default()
        })
    }
}

/// Merges all items that fewer than `k` people have; as printed, it forgets to.
pub struct Lump;

pub static LUMP: Descriptor = Descriptor {
    name: "lump",
    purpose: "merges rare items",
    takes: &[DataKind::Sequences],
    needs: &[Need::optional(Input::Places)],
    params: &[K.setting],
    keeps: Some("shared"),
    product: Some(Product::of(BodyKind::Records)),
    variants: true,
    paper: "TOY",
    example: "",
    notes: "",
    ..Descriptor::blank(DescriptorKind::Method)
};

impl Method for Lump {
    fn descriptor(&self) -> &'static Descriptor {
        &LUMP
    }

    fn anonymize(&self, task: &Task<'_>) -> Result<Outcome, MethodError> {
        task.progress.check()?;
        let data = task.data;
        let needed = K.of(task.settings);
        let people = people(data.items.len(), &data.events);
        let is_rare = |item: ItemId| task.variant == Variant::Sound && people[item as usize] < needed;
        let (rare, common): (Vec<ItemId>, Vec<ItemId>) =
            (0..data.items.len() as ItemId).partition(|item| is_rare(*item));
        let mut alphabet: Vec<GeneralisedItem> =
            common.iter().map(|item| GeneralisedItem::of(vec![*item])).collect();
        let mut steps = Vec::new();
        if !rare.is_empty() {
            alphabet.push(GeneralisedItem::of(rare.clone()));
            steps.push(Reason {
                action: "merge",
                items: rare.iter().map(|item| vec![*item]).collect(),
                pattern: vec![vec![rare[0]]],
                support: people[rare[0] as usize],
                needed,
                details: BTreeMap::new(),
            });
        }
        let image = |item| common.iter().position(|known| *known == item).unwrap_or(common.len()) as ItemId;
        let release = Release {
            base: Arc::clone(&data.items),
            body: Body::of_events(data.events.recode(image, false)),
            alphabet,
            suppression: Suppression { events_before: data.events.len() as u64, ..Suppression::default() },
            nature: Nature::Truthful,
        };
        Ok(Outcome {
            also: Vec::new(),
            release,
            explanation: Explanation { steps },
            notes: Vec::new(),
            public_notes: Vec::new(),
            ledger: None,
        })
    }
}

fn people(items: usize, events: &throng_data::Events) -> Vec<u64> {
    let mut people = vec![0; items];
    for subject in 0..events.subjects() {
        let mut had: Vec<ItemId> =
            events.records_of(subject).flat_map(|record| events.record(record).to_vec()).collect();
        had.sort_unstable();
        had.dedup();
        had.iter().for_each(|item| people[*item as usize] += 1);
    }
    people
}

/// A temporary folder with files for a run.
pub struct Folder {
    folder: TempDir,
}

/// Four people; two of them have been to the zoo or the mall, alone. Anna has two trips.
pub const TRIPS: &str = "\
subject,record,item
anna,1,pub
anna,1,zoo
anna,2,pub
bert,1,pub
bert,1,mall
cleo,1,pub
dora,1,pub
dora,1,pub
";

pub const PEOPLE: &str = "\
subject,age,phone
anna,31,555-1
bert,42,555-2
cleo,53,555-3
dora,64,555-4
";

impl Folder {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("trips.csv"), TRIPS).unwrap();
        std::fs::write(folder.path().join("people.csv"), PEOPLE).unwrap();
        Folder { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of everything in the folder or one of its directories, sorted.
    pub fn names(&self, directory: &str) -> Vec<String> {
        let list = std::fs::read_dir(self.path(directory)).unwrap();
        let mut names: Vec<String> =
            list.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }

    /// A run with `k=2` into the directory `out`.
    pub fn run(&self) -> Run {
        let job = Job {
            files: Files::of(Source::file(self.path("trips.csv"))),
            method: "lump".to_owned(),
            settings: vec![("k".to_owned(), "2".to_owned())],
            limits: Limits::default(),
            variant: Variant::Sound,
            seed: Some(7),
            salt: Some(Salt::parse(&"5a".repeat(32)).unwrap()),
            after: None,
        };
        Run { job, out: Target::new(self.path("out")), linkage: None }
    }

    /// A verification of a file or directory with the manifest's own promise.
    pub fn verification(&self, name: &str) -> Verification {
        Verification {
            files: Files::of(Source::file(self.path(name))),
            promise: None,
            settings: Vec::new(),
            linkage: None,
            list: 10,
            not_known: Vec::new(),
        }
    }
}

/// All files of a directory with their bytes, by name.
pub fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap()))
        .collect()
}
