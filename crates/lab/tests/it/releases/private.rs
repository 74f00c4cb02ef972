//! Releases that rest on secret noise: what must not be in the directory, and what cannot be verified.

use crate::releases::toy::{Folder, contents};
use throng_contract::{Class, Failure, Input, Progress};
use throng_data::formats::Source;
use throng_lab::manifest::Manifest;
use throng_lab::{Made, Run, Salt, anonymize, verify};
use throng_models::Answer;

fn run(folder: &Folder, seed: Option<u64>) -> Run {
    std::fs::write(folder.path("public.txt"), "pub\nmall\nzoo\nharbour\n").unwrap();
    let mut run = folder.run();
    run.job.method = "ngrams".to_owned();
    run.job.settings = [("epsilon", "0.5"), ("l-max", "5"), ("sampler", "grams")]
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .to_vec();
    run.job.files.give(Input::Alphabet, Source::file(folder.path("public.txt")));
    run.job.seed = seed;
    // Noise over four people may leave none.
    run.out.allow_empty = true;
    run
}

fn make(run: &Run) -> Result<Made, Failure> {
    anonymize(run, &Progress::silent())
}

#[test]
fn the_directory_holds_no_seed_and_no_exact_number_of_the_data() {
    let folder = Folder::new();
    let finished = make(&run(&folder, Some(77_777_777_777))).unwrap();
    assert!(finished.checked.verdict.holds);
    let manifest = Manifest::read(&folder.path("out")).unwrap().unwrap();
    assert_eq!(manifest, finished.manifest);
    assert_eq!(manifest.method.seed, None);
    let counts = manifest.counts;
    assert_eq!((counts.subjects, counts.events_before, counts.items_before), (None, None, None));
    assert_eq!(manifest.suppression, None);
    assert!(manifest.measures.is_empty() && manifest.risk.points.is_empty() && manifest.risk.targets == 0);
    let roles: Vec<&str> = manifest.inputs.iter().map(|file| file.role.as_str()).collect();
    assert_eq!(roles, ["alphabet"], "nothing is told of the data; the alphabet is public");
    for (name, bytes) in contents(&folder.path("out")) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("77777777777") && !text.contains("anna"), "{name}");
    }
    let report = folder.text("out/report.html");
    assert!(report.contains("The released files alone prove nothing") && !report.contains("throng verify"));
    assert!(report.contains("none: synthetic"));
}

#[test]
fn a_private_release_cannot_be_verified_from_its_files() {
    let folder = Folder::new();
    make(&run(&folder, None)).unwrap();
    let verified = verify(&folder.verification("out"), &Progress::silent()).unwrap();
    assert_eq!((verified.verdict.answer(), verified.class()), (Answer::NotJudged, Some(Class::JudgedInPart)));
    assert!(verified.verdict.not_judged[0].contains("no file can show that"));
    assert_eq!(verified.contradictions, Vec::<String>::new());
}

#[test]
fn salt_and_seed_repeat_a_run_and_without_either_the_noise_is_fresh() {
    let folder = Folder::new();
    let salt = Salt::parse(&"17".repeat(32)).unwrap();
    let released = |seed: Option<u64>, salt: Option<Salt>| {
        let mut run = run(&folder, seed);
        run.job.salt = salt;
        run.out.force = true;
        let seed = make(&run).unwrap().checked.seed;
        assert!(seed >= 1 << 32, "a seed that could be guessed was drawn: {seed}");
        let mut rows: Vec<String> = folder.text("out/release.csv").lines().map(str::to_owned).collect();
        rows.sort_unstable();
        rows
    };
    let large = Some(1 << 40);
    assert_eq!(released(large, Some(salt)), released(large, Some(salt)));
    assert_ne!(
        released(large, Some(salt)),
        released(large, None),
        "the seed alone does not give the noise away"
    );
    assert_ne!(released(None, Some(salt)), released(None, Some(salt)));
}

/// The attack: with a seed that can be guessed, everybody tries them all and takes the noise away.
#[test]
fn a_seed_that_can_be_guessed_is_refused_where_noise_has_to_be_secret() {
    let folder = Folder::new();
    for seed in [0, 1, u64::from(u32::MAX)] {
        let failure = make(&run(&folder, Some(seed))).unwrap_err();
        assert_eq!(failure.class, Class::Refused);
        assert!(failure.help.unwrap().to_string().contains("leave `--seed` out"));
        assert!(!folder.path("out").exists());
    }
    make(&run(&folder, Some(1 << 32))).unwrap();
}

#[test]
fn no_person_stands_behind_synthetic_records() {
    let folder = Folder::new();
    let mut run = run(&folder, None);
    run.linkage = Some(folder.path("links.csv"));
    assert_eq!(make(&run).unwrap_err().class, Class::Usage);
    assert!(!folder.path("out").exists() && !folder.path("links.csv").exists());
}
