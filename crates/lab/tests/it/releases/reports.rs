//! Reports: what is said, what must not be said in public, and that names stay names.

use crate::releases::toy::{Folder, Lump, Shared};
use throng_contract::{Class, Input, Progress};
use throng_data::formats::{ReadOptions, Source};
use throng_lab::report::{InternalReport, PageKind, Reporting, report, write_report};
use throng_lab::{Made, Run, anonymize, anonymize_with};

/// Names that try to get out of where they stand; five people on a line of places, `hut` alone.
const TRIPS: &str = "subject,item\n\
    anna,<b>pub\nanna,zoo&\nbert,<b>pub\nbert,zoo&\ncleo,<b>pub\ncleo,mall\ndora,<b>pub\ndora,mall\nemil,<b>pub\nemil,hut\n";
const PLACES: &str = "item,x,y\n<b>pub,0,0\nzoo&,10.123,0\nmall,20,5.456\nhut,30,9.789\nnowhere,99,99\n";

fn folder() -> Folder {
    let folder = Folder::new();
    std::fs::write(folder.path("trips.csv"), TRIPS).unwrap();
    std::fs::write(folder.path("places.csv"), PLACES).unwrap();
    folder
}

fn run(folder: &Folder) -> Run {
    let mut run = folder.run();
    run.job.files.give(Input::Places, Source::file(folder.path("places.csv")));
    run.job.method = "seqanon".to_owned();
    run.job.settings = [("k", "2"), ("m", "1")].map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
    run
}

fn make(run: &Run) -> Made {
    anonymize(run, &Progress::silent()).unwrap()
}

fn reporting(folder: &Folder, form: PageKind) -> Reporting {
    Reporting {
        directory: folder.path("out"),
        form,
        places: Some(Source::file(folder.path("places.csv"))),
        original: None,
        read: ReadOptions::default(),
        linkage: None,
    }
}

/// What a reader sees, a line for each block, without drawings and styles.
fn text_of(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page.split_once("<body>").unwrap().1;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        if tag.starts_with("svg") {
            let (drawing, after) = after.split_once("</svg>").unwrap();
            let title =
                drawing.split_once("<title").unwrap().1.split_once('>').unwrap().1.split_once('<').unwrap().0;
            text.push_str(&format!("[drawing: {title}]\n"));
            rest = after;
        }
        let cell = tag.starts_with("/td") || tag.starts_with("/th") && !tag.starts_with("/thead");
        text.push_str(if cell { " | " } else { "" });
        if ["/p", "/h1", "/h2", "/h3", "/tr", "/dt", "/dd", "/figcaption", "/summary"].contains(&tag) {
            text.push('\n');
        }
    }
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| line.trim_end_matches('|').trim());
    let text = lines.collect::<Vec<_>>().join("\n").replace(env!("CARGO_PKG_VERSION"), "[version]");
    let masked = text.split_inclusive([' ', '\n', '.']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', '.']);
        let hash = bare.len() == 64 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        if hash { word.replace(bare, "[sha256]") } else { word.to_owned() }
    });
    masked.collect()
}

#[test]
fn the_publishable_page_says_it_all() {
    let folder = folder();
    make(&run(&folder));
    insta::assert_snapshot!(text_of(&folder.text("out/report.html")));
}

#[test]
fn the_publisher_sees_more() {
    let folder = folder();
    let run = run(&folder);
    let internal = InternalReport::at(folder.path("internal.html"), &run.out).unwrap();
    let mut finished = make(&run);
    finished.timings.clear();
    internal.write(&finished).unwrap();
    let page = folder.text("internal.html");
    assert!(page.contains("Not for publication"));
    assert!(page.contains("hut: 1 person"), "places have counts");
    let text = text_of(&page);
    insta::assert_snapshot!(text[text.find("Where it was").unwrap()..text.find("What it cost").unwrap()]);
}

#[test]
fn the_page_in_the_directory_can_be_made_again() {
    let folder = folder();
    make(&run(&folder));
    let again = report(&reporting(&folder, PageKind::Publishable), &Progress::silent()).unwrap();
    assert_eq!(again, folder.text("out/report.html"));
    let plain = Reporting { places: None, ..reporting(&folder, PageKind::Publishable) };
    let plain = report(&plain, &Progress::silent()).unwrap();
    assert!(!plain.contains("map-after"), "without places there is no map");
    let mut run = run(&folder);
    (run.out.map, run.out.force) = (false, true);
    make(&run);
    assert_eq!(folder.text("out/report.html"), plain, "a publisher may leave the map out");
}

#[test]
fn the_publisher_can_have_counts_from_the_directory() {
    let folder = folder();
    make(&run(&folder));
    let original = Some(Source::file(folder.path("trips.csv")));
    let page = report(&Reporting { original, ..reporting(&folder, PageKind::Internal) }, &Progress::silent())
        .unwrap();
    assert!(page.contains("hut: 1 person") && page.contains("throng anonymize --internal-report"));
}

#[test]
fn nothing_private_is_in_the_publishable_page() {
    let folder = folder();
    make(&run(&folder));
    let page = folder.text("out/report.html");
    for secret in
        ["anna", "emil", "10.123", "5.456", "9.789", "nowhere", "1 person", folder.path("").to_str().unwrap()]
    {
        assert!(!page.contains(secret), "the page gives away {secret}");
    }
    assert!(!page.contains("://") && !page.contains("<script"), "the page must reach for nothing");
}

#[test]
fn names_stay_names() {
    let folder = folder();
    make(&run(&folder));
    let internal = report(&reporting(&folder, PageKind::Internal), &Progress::silent()).unwrap();
    for page in [folder.text("out/report.html"), internal] {
        assert!(!page.contains("<b>") && page.contains("&lt;b&gt;pub"), "names are escaped");
        assert!(!page.contains("zoo& ") && !page.contains("zoo&|"), "ampersands are escaped");
    }
}

#[test]
fn a_suppressed_place_is_not_on_the_public_map() {
    let folder = folder();
    let mut run = run(&folder);
    run.job.method = "u-seqanon".to_owned();
    run.job.settings.push(("max-suppressed".to_owned(), "50%".to_owned()));
    std::fs::write(folder.path("sets.csv"), "<b>pub,zoo&\nmall\nhut\n").unwrap();
    run.job.files.give(Input::Constraints, Source::file(folder.path("sets.csv")));
    let finished = make(&run);
    assert_eq!(finished.exact.suppression.unwrap().items, 1);
    let page = folder.text("out/report.html");
    assert!(page.contains("id=\"map-after-title\"") && !page.contains("hut"));
}

#[test]
fn pages_are_refused_inside_the_release_and_over_other_files() {
    let folder = folder();
    let run = run(&folder);
    let inside = InternalReport::at(folder.path("out/internal.html"), &run.out).unwrap_err();
    assert_eq!((inside.class, inside.message.contains("the internal report")), (Class::Refused, true));
    make(&run);
    let out = folder.path("out");
    assert_eq!(write_report(&out.join("report.html"), "", &out, true).unwrap_err().class, Class::Refused);
    let page = folder.path("page.html");
    write_report(&page, "one", &out, false).unwrap();
    assert_eq!(write_report(&page, "two", &out, false).unwrap_err().class, Class::Refused);
    write_report(&page, "two", &out, true).unwrap();
    assert_eq!(folder.text("page.html"), "two");
}

#[test]
fn a_release_that_was_changed_is_not_reported_on() {
    let folder = folder();
    make(&run(&folder));
    std::fs::write(folder.path("out/report.html"), "another page").unwrap();
    report(&reporting(&folder, PageKind::Publishable), &Progress::silent()).unwrap();
    std::fs::write(folder.path("out/release.csv"), "record,item\n1,zoo&\n").unwrap();
    let failure = report(&reporting(&folder, PageKind::Publishable), &Progress::silent()).unwrap_err();
    assert_eq!(failure.class, Class::NotVerified);
}

#[test]
fn many_places_make_a_page_below_a_megabyte() {
    let folder = Folder::new();
    let mut trips = String::from("subject,item\n");
    let mut places = String::from("item,lat,lon\n");
    for place in 0..10_000_u32 {
        places.push_str(&format!(
            "place-{place:05},{},{}\n",
            52.0 + f64::from(place / 100) * 0.01,
            13.0 + f64::from(place % 100) * 0.01
        ));
        // Two in three places are visited by one person only.
        for visit in 0..1 + 2 * u32::from(place % 3 == 0) {
            trips.push_str(&format!("p{},place-{place:05}\n", place * 4 + visit));
        }
    }
    std::fs::write(folder.path("trips.csv"), trips).unwrap();
    std::fs::write(folder.path("places.csv"), places).unwrap();
    let mut run = folder.run();
    run.job.files.give(Input::Places, Source::file(folder.path("places.csv")));
    let finished = anonymize_with(&Lump, &Shared, &run, &Progress::silent()).unwrap();
    assert!(finished.manifest.generalised[0].members.len() > 5_000);
    let page = folder.text("out/report.html");
    assert!(page.contains("map-after") && page.len() < 1_000_000, "{} bytes", page.len());
}
