//! Releases of counts: what lies in the directory, how it is judged, and what does not apply.

use crate::releases::toy::Folder;
use throng_contract::{Class, Input, Progress};
use throng_data::formats::{Source, parquet_rows};
use throng_lab::manifest::Manifest;
use throng_lab::report::{PageKind, Reporting, report};
use throng_lab::{
    Attacking, Files, Made, Measurement, ReleaseFormat, Run, Wanted, anonymize, attack, measure, verify,
};
use throng_models::Answer;

/// Seven people on three stops, in a file of their own; two of them have times.
const STOPS: &str = "\
subject,item,time
p1,a,100
p1,b,3700
p2,a,200
p2,b,3800
p3,a,7300
p3,c,7400
p4,b,50
p4,a,90
p5,a,3601
p6,x,10
p7,b,3900
";

fn run(folder: &Folder, settings: &[(&str, &str)]) -> Run {
    std::fs::write(folder.path("stops.csv"), STOPS).unwrap();
    std::fs::write(folder.path("public.txt"), "a\nb\nc\nx\ny\n").unwrap();
    let mut run = folder.run();
    run.job.files = Files::of(Source::file(folder.path("stops.csv")));
    run.job.method = "counts".to_owned();
    run.job.settings = settings.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    run
}

fn make(run: &Run) -> Made {
    anonymize(run, &Progress::silent()).unwrap()
}

#[test]
fn the_directory_has_counts_in_the_order_of_names_and_nothing_else() {
    let folder = Folder::new();
    make(&run(&folder, &[("k", "2")]));
    assert_eq!(folder.names("out"), ["counts.csv", "manifest.json", "report.html"]);
    let expected = "table,item,to,time,until,people\nvisits,a,,,,5\nvisits,b,,,,4\nmoves,a,b,,,2\n";
    assert_eq!(folder.text("out/counts.csv"), expected);
    let manifest = Manifest::read(&folder.path("out")).unwrap().unwrap();
    let form = manifest.form.as_ref().unwrap();
    assert_eq!((form.name.as_str(), form.rows), ("counts", 3));
    assert_eq!(manifest.counts.subjects, None, "with it, who is in no count could be worked out");
    assert_eq!((manifest.counts.items_after, manifest.suppression), (2, None));
    assert!(manifest.risk.points.is_empty());
    for rare in ["x", "c"] {
        assert!(!folder.text("out/manifest.json").contains(&format!("\"{rare}\"")), "{rare}");
    }
    let page = folder.text("out/report.html");
    assert!(page.contains("<h2>The counts</h2>") || page.contains("The counts"), "{page}");
    assert!(page.contains("there is no person to look for"));
}

#[test]
fn parquet_has_the_same_counts_and_is_verified_alike() {
    for settings in [&[("k", "2")][..], &[("k", "2"), ("bin", "3600")]] {
        let folder = Folder::new();
        make(&run(&folder, settings));
        let mut typed = run(&folder, settings);
        typed.out.directory = folder.path("typed");
        typed.out.format = ReleaseFormat::Parquet;
        make(&typed);
        assert_eq!(folder.names("typed"), ["counts.parquet", "manifest.json", "report.html"]);
        let rows = parquet_rows(&Source::file(folder.path("typed/counts.parquet"))).unwrap();
        let text = rows.open().unwrap().read_all().unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), folder.text("out/counts.csv"));
        let verified = verify(&folder.verification("typed"), &Progress::silent()).unwrap();
        assert_eq!((verified.verdict.answer(), verified.class()), (Answer::Holds, None));
    }
}

#[test]
fn visits_by_time_are_counted_in_spans() {
    let folder = Folder::new();
    let finished = make(&run(&folder, &[("k", "2"), ("bin", "3600")]));
    let expected = "table,item,to,time,until,people\n\
                    visits,a,,0,3600,3\n\
                    visits,b,,3600,7200,3\n";
    assert_eq!(folder.text("out/counts.csv"), expected);
    assert!(finished.exact.notes.iter().any(|note| note.contains("moves were left out")));
    let verified = verify(&folder.verification("out"), &Progress::silent()).unwrap();
    assert_eq!((verified.verdict.answer(), verified.class()), (Answer::Holds, None));
}

#[test]
fn files_are_judged_and_what_was_changed_is_found() {
    let folder = Folder::new();
    make(&run(&folder, &[("k", "2")]));
    let judge = || verify(&folder.verification("out"), &Progress::silent());
    let verified = judge().unwrap();
    assert_eq!((verified.verdict.answer(), verified.class()), (Answer::Holds, None), "{verified:?}");
    assert_eq!(verified.contradictions, Vec::<String>::new());
    let tampered = |from: &str, to: &str| {
        let text = folder.text("out/counts.csv");
        std::fs::write(folder.path("out/counts.csv"), text.replace(from, to)).unwrap();
        let verified = judge();
        std::fs::write(folder.path("out/counts.csv"), text).unwrap();
        verified
    };
    let few = tampered("moves,a,b,,,2", "moves,a,b,,,1").unwrap();
    assert_eq!((few.verdict.answer(), few.verdict.violations_total), (Answer::DoesNotHold, 1));
    assert!(few.contradictions[0].contains("SHA-256"), "{:?}", few.contradictions);
    let margin = tampered("visits,b,,,,4\n", "").unwrap();
    assert_eq!(margin.verdict.violations[0].details["why"], "one of its ends is a withheld visit");
    for (from, to) in
        [("people\n", "persons\n"), ("visits,a", "visit,a"), (",,5", ",,five"), (",,,5", ",9,3,5")]
    {
        assert_eq!(tampered(from, to).unwrap_err().class, Class::BadInput, "{from}");
    }
    std::fs::write(folder.path("out/release.csv"), "record,item\n1,a\n").unwrap();
    assert_eq!(judge().unwrap().class(), Some(Class::NotVerified), "counts or records, not both");
}

#[test]
fn a_promise_about_records_is_not_kept_by_having_none() {
    let folder = Folder::new();
    make(&run(&folder, &[("k", "2")]));
    let mut verification = folder.verification("out");
    verification.promise = Some("km".to_owned());
    verification.settings = vec![("k".to_owned(), "2".to_owned()), ("m".to_owned(), "2".to_owned())];
    let verified = verify(&verification, &Progress::silent()).unwrap();
    assert_eq!(verified.verdict.answer(), Answer::NotJudged);
    assert!(verified.notes.iter().any(|note| note.contains("`k-counts`")), "{:?}", verified.notes);
}

#[test]
fn measures_and_attacks_of_records_do_not_apply() {
    let folder = Folder::new();
    make(&run(&folder, &[("k", "2")]));
    let files = Files::of(Source::file(folder.path("stops.csv")));
    let measurement = |wanted: Vec<Wanted>| Measurement {
        files: files.clone(),
        release: Source::file(folder.path("out")),
        linkage: None,
        wanted,
        settings: Vec::new(),
        seed: 0,
    };
    let measured = measure(&measurement(Vec::new()), &Progress::silent()).unwrap();
    let names: Vec<&str> = measured.measures.iter().map(|measure| measure.measure.as_str()).collect();
    assert_eq!(names, ["counts"]);
    // Visits: a 5, b 4 of eleven; moves: ab 2 of four.
    let readings =
        ["visits_kept", "moves_kept", "counts_error"].map(|scale| measured.measures[0].reading(scale));
    assert_eq!(readings, [Some(9.0 / 11.0), Some(0.5), Some(0.0)]);
    assert!(measured.notes.iter().any(|note| note.contains("do not apply")));
    let asked = measure(&measurement(vec![Wanted::of("lengths")]), &Progress::silent());
    assert_eq!(asked.unwrap_err().class, Class::Usage);
    let attacking = Attacking {
        files: files.clone(),
        release: Some(folder.path("out")),
        linkage: None,
        beside: None,
        settings: Vec::new(),
        seed: 0,
    };
    assert_eq!(attack(&attacking, &Progress::silent()).unwrap_err().class, Class::Usage);
}

#[test]
fn nothing_of_records_goes_with_counts_and_nothing_empty_is_written() {
    let folder = Folder::new();
    let mut with_linkage = run(&folder, &[("k", "2")]);
    with_linkage.linkage = Some(folder.path("links.csv"));
    let refused = |run: &Run| anonymize(run, &Progress::silent()).unwrap_err().class;
    assert_eq!(refused(&with_linkage), Class::Usage);
    assert_eq!(refused(&run(&folder, &[("k", "6")])), Class::Refused);
    assert!(!folder.path("out").exists() && !folder.path("links.csv").exists());
    let mut empty = run(&folder, &[("k", "6")]);
    empty.out.allow_empty = true;
    make(&empty);
    assert_eq!(folder.text("out/counts.csv"), "table,item,to,time,until,people\n");
    assert_eq!(verify(&folder.verification("out"), &Progress::silent()).unwrap().class(), None);
}

#[test]
fn the_page_is_made_again_from_the_directory() {
    let folder = Folder::new();
    make(&run(&folder, &[("k", "2")]));
    let reporting = Reporting {
        directory: folder.path("out"),
        form: PageKind::Publishable,
        places: None,
        original: None,
        read: throng_data::formats::ReadOptions::default(),
        linkage: None,
    };
    assert_eq!(report(&reporting, &Progress::silent()).unwrap(), folder.text("out/report.html"));
}

#[test]
fn noisy_counts_tell_no_number_of_the_data_and_cannot_be_verified_from_files() {
    let folder = Folder::new();
    let mut noisy = run(&folder, &[("epsilon", "4"), ("cells", "2")]);
    noisy.job.method = "dp-counts".to_owned();
    noisy.job.files.give(Input::Alphabet, Source::file(folder.path("public.txt")));
    noisy.job.seed = Some(1 << 40);
    noisy.out.allow_empty = true;
    let finished = make(&noisy);
    assert!(finished.checked.verdict.holds);
    let manifest = Manifest::read(&folder.path("out")).unwrap().unwrap();
    assert_eq!(manifest.counts.subjects, None);
    assert!(manifest.measures.is_empty() && manifest.suppression.is_none() && manifest.method.seed.is_none());
    let rows = folder.text("out/counts.csv").lines().count() as u64 - 1;
    assert_eq!(manifest.form.unwrap().rows, rows);
    let verified = verify(&folder.verification("out"), &Progress::silent()).unwrap();
    assert_eq!(verified.verdict.answer(), Answer::NotJudged);
    assert_eq!(verified.contradictions, Vec::<String>::new());
}
