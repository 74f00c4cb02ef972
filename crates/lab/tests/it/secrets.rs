//! Attacks on what lies beside the promise: fingerprints of inputs, and the order of records.
//!
//! The attacker has the release, the program, and everything about everybody but the one thing they are after.

#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

use std::fs;

use hmac::{Hmac, KeyInit, Mac};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::{ChaCha8Rng, ChaCha20Rng};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use throng_contract::{Input, Progress};
use throng_data::formats::{Digest, Source};
use throng_lab::manifest::Manifest;
use throng_lab::{Files, Job, Limits, Made, Run, Salt, Target, anonymize};
use throng_methods::Variant;

const PEOPLE: usize = 20;

struct Publisher {
    folder: TempDir,
}

impl Publisher {
    /// Twenty people, their trips, and a column about each of them that is not published.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut trips = String::from("subject,item,time\n");
        for person in 0..PEOPLE {
            let second = if person % 2 == 0 { "zoo" } else { "park" };
            trips += &format!("p{person},mall,1\np{person},{second},2\n");
        }
        fs::write(folder.path().join("trips.csv"), trips).unwrap();
        fs::write(folder.path().join("people.csv"), people(SECRET)).unwrap();
        Publisher { folder }
    }

    fn run(&self, name: &str, k: &str) -> Run {
        let file = |name: &str| Source::file(self.folder.path().join(name));
        let files = Files {
            sensitive_values: vec!["hiv=yes".to_owned()],
            ..Files::of(file("trips.csv")).with(Input::Records, file("people.csv"))
        };
        let job = Job {
            files,
            method: "lkc".to_owned(),
            settings: [("K", k), ("L", "1"), ("C", "0.5")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            limits: Limits::default(),
            variant: Variant::Sound,
            seed: Some(3),
            salt: None,
            after: None,
        };
        let out = Target::new(self.folder.path().join(name));
        Run { job, out, linkage: Some(self.folder.path().join(format!("{name}.links"))) }
    }

    fn links(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join(format!("{name}.links"))).unwrap();
        text.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().to_owned()).collect()
    }
}

fn publish(run: &Run) -> Made {
    anonymize(run, &Progress::silent()).unwrap()
}

/// Who has it: one bit a person.
const SECRET: u32 = 0b0010_0000_0100_1000_0001;

fn people(bits: u32) -> String {
    let row = |person: usize| format!("p{person},{}\n", if bits >> person & 1 == 1 { "yes" } else { "no" });
    format!("subject,hiv\n{}", (0..PEOPLE).map(row).collect::<String>())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything of up to 32 bytes that an attacker could take for a key: what is published, and what anybody would try.
fn derivable_keys(run: &Run, manifest: &Manifest) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = vec![vec![], vec![0; 32], vec![0xff; 32], b"throng".to_vec()];
    for seed in [0_u64, 3] {
        keys.push(seed.to_le_bytes().to_vec());
        keys.push(seed.to_be_bytes().to_vec());
        keys.push(seed.to_string().into_bytes());
    }
    for file in fs::read_dir(&run.out.directory).unwrap() {
        keys.push(Sha256::digest(fs::read(file.unwrap().path()).unwrap()).to_vec());
    }
    let parameters = serde_json::to_string(&manifest.method.parameters).unwrap();
    keys.extend(
        [manifest.method.name.clone(), manifest.promise.name.clone(), parameters].map(String::into_bytes),
    );
    let hashed: Vec<Vec<u8>> = keys.iter().map(|key| Sha256::digest(key).to_vec()).collect();
    keys.extend(hashed);
    keys
}

/// The attack (20 people's HIV status in under a second): guess the layout of the file, complete the unknown column in
/// every way, and compare with the published fingerprint.
#[test]
fn a_published_fingerprint_confirms_no_guess_of_an_unpublished_column() {
    let publisher = Publisher::new();
    let run = publisher.run("release", "2");
    publish(&run);
    let text = fs::read_to_string(run.out.directory.join("manifest.json")).unwrap();
    let manifest = Manifest::read(&run.out.directory).unwrap().unwrap();
    let published =
        manifest.inputs.iter().find(|file| file.role == "records").unwrap().fingerprint.clone().unwrap();
    assert!(published.starts_with("hmac-sha256:") && !text.contains("people.csv"));
    let keys = derivable_keys(&run, &manifest);
    // Half of the people are known to the attacker: the other half has 2^10 completions.
    let known = SECRET & !0x3ff;
    let mut plain_matches = 0;
    for guess in 0..1 << 10 {
        let digest = Digest::of(people(known | guess).as_bytes());
        // As version 0.1.0 published it, the fingerprint gives everybody away.
        plain_matches += usize::from(digest == Digest::of(people(SECRET).as_bytes()));
        assert!(!text.contains(&digest.to_string()), "the plain fingerprint is published");
        for key in &keys {
            let mac = Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(digest.bytes()).finalize();
            assert!(!published.ends_with(&hex(&mac.into_bytes())), "a key can be derived");
            if key.len() == 32 {
                let salt = Salt::parse(&hex(key)).unwrap();
                assert_ne!(salt.fingerprint(&digest), published, "a salt can be derived");
            }
        }
    }
    assert_eq!(plain_matches, 1, "the attack works against a plain fingerprint");
}

#[test]
fn fingerprints_of_one_file_are_the_same_for_the_publisher_only() {
    let publisher = Publisher::new();
    let fingerprints = |finished: &Made| -> Vec<String> {
        finished.manifest.inputs.iter().filter_map(|file| file.fingerprint.clone()).collect()
    };
    let first = publish(&publisher.run("a", "2"));
    let mut run = publisher.run("b", "3");
    let second = publish(&run);
    assert!(fingerprints(&first).iter().all(|known| !fingerprints(&second).contains(known)));
    (run.job.salt, run.out.force) = (Some(first.salt), true);
    assert_eq!(fingerprints(&publish(&run)), fingerprints(&first));
}

/// As version 0.1.0 did it: from the names, the events and the published seed.
fn order_of_version_0_1_0(names: &[String], items: &[u32], seed: u64) -> Vec<usize> {
    let mut hash = Sha256::new();
    hash.update(b"throng: order of records");
    hash.update(seed.to_le_bytes());
    for name in names {
        hash.update(name.as_bytes());
        hash.update([0]);
    }
    items.iter().for_each(|item| hash.update(item.to_le_bytes()));
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.shuffle(&mut ChaCha8Rng::from_seed(hash.finalize().into()));
    order
}

/// The attack: an attacker who knows all the data but one value, and the seed in the manifest, numbers the records again and sees
/// which guess gives the release.
#[test]
fn the_order_of_records_follows_from_nothing_that_an_attacker_may_know() {
    let publisher = Publisher::new();
    let run = publisher.run("release", "2");
    let finished = publish(&run);
    let order = publisher.links("release");
    let names: Vec<String> = (0..PEOPLE).map(|person| format!("p{person}")).collect();
    let named =
        |numbers: Vec<usize>| numbers.into_iter().map(|person| names[person].clone()).collect::<Vec<_>>();
    let items = finished.checked.loaded.data.events.items();
    assert_ne!(named(order_of_version_0_1_0(&names, items, 3)), order);
    for key in derivable_keys(&run, &finished.manifest).into_iter().filter(|key| key.len() == 32) {
        let key: [u8; 32] = key.try_into().unwrap();
        let mut direct: Vec<usize> = (0..PEOPLE).collect();
        direct.shuffle(&mut ChaCha20Rng::from_seed(key));
        assert_ne!(named(direct), order);
        let mut repeated = publisher.run("guess", "2");
        (repeated.job.salt, repeated.out.force) = (Some(Salt::parse(&hex(&key)).unwrap()), true);
        publish(&repeated);
        assert_ne!(publisher.links("guess"), order);
    }
    let mut repeated = publisher.run("again", "2");
    repeated.job.salt = Some(finished.salt);
    publish(&repeated);
    assert_eq!(publisher.links("again"), order, "the publisher can repeat the run");
    for file in ["release.csv", "manifest.json", "report.html"] {
        let read = |run: &Run| fs::read(run.out.directory.join(file)).unwrap();
        assert_eq!(read(&repeated), read(&run), "{file}");
    }
}

/// The attack: two releases of one file numbered their records alike, and could be joined row by row.
#[test]
fn two_releases_of_one_file_number_their_records_independently() {
    let publisher = Publisher::new();
    let salt = Salt::parse(&"29".repeat(32)).unwrap();
    let mut orders = Vec::new();
    for (name, k, salt, seed) in [
        ("fresh", "2", None, 3),
        ("fresh-again", "2", None, 3),
        ("salted", "2", Some(salt), 3),
        ("salted-k", "3", Some(salt), 3),
        ("salted-seed", "2", Some(salt), 4),
    ] {
        let mut run = publisher.run(name, k);
        (run.job.salt, run.job.seed) = (salt, Some(seed));
        publish(&run);
        orders.push(publisher.links(name));
    }
    for (at, first) in orders.iter().enumerate() {
        for second in &orders[at + 1..] {
            let alike = first.iter().zip(second).filter(|(first, second)| first == second).count();
            assert!(alike < PEOPLE / 2, "{alike} of {PEOPLE} records have the same number in both");
        }
    }
}

#[test]
fn the_salt_is_in_nothing_that_is_published_or_printed() {
    let publisher = Publisher::new();
    let run = publisher.run("release", "2");
    let finished = publish(&run);
    for file in fs::read_dir(&run.out.directory).unwrap() {
        let text = String::from_utf8_lossy(&fs::read(file.unwrap().path()).unwrap()).into_owned();
        assert!(!text.contains(&finished.salt.hex()));
    }
    assert!(!format!("{finished:?}").contains(&finished.salt.hex()));
}
