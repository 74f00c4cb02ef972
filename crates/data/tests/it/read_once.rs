//! An input is read once, as it was written, and its fingerprint is that of the bytes that were read.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::thread;

use throng_contract::Progress;
use throng_data::Dictionary;
use throng_data::formats::{
    Digest, Format, ReadOptions, Source, read_costs, read_dataset, read_item_sets, read_items, read_names,
    read_patterns, read_person_patterns, read_places, read_queries, read_records, read_taxonomy,
};

const LONG: &str = "subject,item\nann,a\nbob,b\nann,b\n";

fn options(format: Option<Format>) -> ReadOptions {
    ReadOptions { format, ..ReadOptions::default() }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).and_then(|()| gzip.finish()).expect("memory takes everything")
}

#[test]
fn the_fingerprint_is_that_of_the_stored_bytes_whatever_their_form() {
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let wide = ReadOptions { wide: Some("items".into()), ..ReadOptions::default() };
    let cases: [(&str, Vec<u8>, ReadOptions); 7] = [
        ("t.csv", LONG.into(), options(None)),
        ("t.csv.gz", gzip(LONG.as_bytes()), options(None)),
        ("t.csv.gz", [gzip(LONG.as_bytes()), gzip(b"eve,a\n")].concat(), options(None)),
        ("t.csv.zst", zstd(LONG.as_bytes()), options(None)),
        ("t.csv", "subject,items\nann,a b\nbob,b".into(), wide),
        ("t.spmf", "1 -1 2 -1 -2\n2 -1 -2\n".into(), options(None)),
        ("t.dat.gz", gzip(b"1 2\n\n2\n"), options(None)),
    ];
    for (name, bytes, options) in cases {
        let source = Source::memory(name, bytes.clone());
        assert_eq!(source.digest(), None);
        read_dataset(&source, &options, &Progress::silent()).unwrap();
        assert_eq!(source.digest(), Some(Digest::of(&bytes)), "{name}");
    }
}

#[test]
fn every_kind_of_input_has_a_fingerprint_after_it_was_read() {
    let items: Dictionary = ["a", "b"].into_iter().collect();
    let people: Dictionary = ["ann", "bob"].into_iter().collect();
    let quiet = Progress::silent();
    let check = |text: &str, read: &dyn Fn(&Source)| {
        let source = Source::memory("input", text.as_bytes());
        read(&source);
        assert_eq!(source.digest(), Some(Digest::of(text.as_bytes())), "{text}");
    };
    check("item,x,y\na,0,0\nb,1,1\n", &|source| drop(read_places(source, &items, &quiet).unwrap()));
    check("a;all\nb;all\n", &|source| drop(read_taxonomy(source, &quiet).unwrap()));
    check("a\n\nb", &|source| drop(read_items(source, &items).unwrap()));
    check("a,b\n", &|source| drop(read_item_sets(source, &items).unwrap()));
    check("a > b\n", &|source| drop(read_patterns(source, &items).unwrap()));
    let own = "subject,pattern\nann,a > b\n";
    check(own, &|source| drop(read_person_patterns(source, None, &people, &items).unwrap()));
    check("a > c\n", &|source| drop(read_queries(source).unwrap()));
    check("a\nc\n", &|source| drop(read_names(source).unwrap()));
    check("symbol,cost\na,1\n", &|source| drop(read_costs(source).unwrap()));
    let records = "subject,age\nann,3\nbob,4\n";
    check(records, &|source| drop(read_records(source, &options(None), &people, &quiet).unwrap()));
}

#[test]
fn a_reading_that_failed_leaves_no_fingerprint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    fs::write(&path, LONG).unwrap();
    let source = Source::file(&path);
    read_dataset(&source, &options(None), &Progress::silent()).unwrap();
    assert_eq!(source.digest(), Some(Digest::of(LONG.as_bytes())));
    fs::write(&path, format!("unknown,item\n{}", "ann,a\n".repeat(400_000))).unwrap();
    read_dataset(&source, &options(None), &Progress::silent()).unwrap_err();
    assert_eq!(source.digest(), None);
}

#[test]
fn what_was_cut_in_the_middle_is_refused() {
    let text = LONG.to_owned() + &"ann,a\n".repeat(10_000);
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for (name, whole) in [("t.csv.gz", gzip(text.as_bytes())), ("t.csv.zst", zstd)] {
        for missing in [1, 4, whole.len() / 2] {
            let source = Source::memory(name, whole[..whole.len() - missing].to_vec());
            assert!(
                read_dataset(&source, &options(None), &Progress::silent()).is_err(),
                "{name} - {missing}"
            );
        }
    }
}

/// Writes to a named pipe from another thread, as `<(cat file)` of a shell does.
#[cfg(unix)]
fn with_pipe<T>(folder: &Path, text: &str, read: impl FnOnce(&Source) -> T) -> T {
    let path = folder.join("pipe.csv");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo is everywhere").success());
    let found = thread::scope(|scope| {
        scope.spawn(|| {
            let mut pipe = fs::OpenOptions::new().write(true).open(&path).expect("the pipe is there");
            // A reader that stops early closes the pipe.
            let _ = text.as_bytes().chunks(1000).try_for_each(|chunk| pipe.write_all(chunk));
        });
        read(&Source::file(&path))
    });
    fs::remove_file(&path).expect("the pipe is there");
    found
}

/// The attack: the fingerprint was taken by opening the input a second time, so that the parser shared the pipe with it
/// and lost people without a word.
#[cfg(unix)]
#[test]
fn a_pipe_gives_the_same_people_and_fingerprint_as_the_file_every_time() {
    let mut text = String::from("subject,item\n");
    (0..20_000).for_each(|event| text += &format!("p{},i{}\n", event / 4, event % 97));
    let folder = tempfile::tempdir().unwrap();
    let expected = read_dataset(
        &Source::memory("t.csv", text.clone().into_bytes()),
        &options(None),
        &Progress::silent(),
    )
    .unwrap();
    for _ in 0..30 {
        let (read, digest) = with_pipe(folder.path(), &text, |source| {
            (read_dataset(source, &options(None), &Progress::silent()).unwrap(), source.digest())
        });
        assert!(read.dataset.subjects.names().eq(expected.dataset.subjects.names()));
        assert_eq!(read.dataset.events.items(), expected.dataset.events.items());
        assert_eq!(digest, Some(Digest::of(text.as_bytes())));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_opened_a_second_time() {
    let folder = tempfile::tempdir().unwrap();
    with_pipe(folder.path(), LONG, |source| {
        read_dataset(source, &options(None), &Progress::silent()).unwrap();
        let again = read_dataset(&source.clone(), &options(None), &Progress::silent()).unwrap_err();
        assert!(again.to_string().ends_with("its bytes came once and were read already"), "{again}");
    });
    with_pipe(folder.path(), LONG, |source| {
        let held = source.held().unwrap();
        for _ in 0..2 {
            assert_eq!(held.open().unwrap().read_all().unwrap(), LONG.as_bytes());
        }
        assert_eq!(held.digest(), Some(Digest::of(LONG.as_bytes())));
    });
    let (path, stored) = (folder.path().join("t.csv.gz"), gzip(LONG.as_bytes()));
    fs::write(&path, &stored).unwrap();
    let held = Source::file(&path).held().unwrap();
    assert_eq!(held.open().unwrap().read_all().unwrap(), LONG.as_bytes());
    assert_eq!(held.digest(), Some(Digest::of(&stored)), "the fingerprint is that of the stored bytes");
}

/// Two people became three: the row was cut where the buffer ended.
#[test]
fn a_row_that_is_too_long_is_refused_and_never_cut() {
    let long = "x".repeat((64 << 20) + 10);
    for text in [
        format!("subject,item\nann,{long}\nbob,b\n"),
        format!("subject,item\nann,\"{long}\"\nbob,b\n"),
        format!("subject,item\nann,{long}"),
    ] {
        let source = Source::memory("t.csv", text.into_bytes());
        let error = read_dataset(&source, &options(None), &Progress::silent()).unwrap_err();
        assert_eq!(error.to_string(), "`t.csv` line 2: a row of more than 67 MB");
    }
    let source = Source::memory("t.dat", format!("{long} a\nb\n").into_bytes());
    let error = read_dataset(&source, &options(None), &Progress::silent()).unwrap_err();
    assert_eq!(error.to_string(), "`t.dat` line 1: a row of more than 67 MB");
}

/// Rows that end with a carriage return alone were read as one row: people were put together, or passed over as a comment.
#[test]
fn carriage_returns_never_join_people() {
    let quiet = Progress::silent();
    let wide = ReadOptions { wide: Some("items".into()), ..ReadOptions::default() };
    for (name, text, options) in [
        ("t.csv", "items\na b\rc d\re f\n", &wide),
        ("t.dat", "1 2\r3 4\n", &options(None)),
        ("t.spmf", "# made today\r1 -1 -2\r2 -1 -2\n3 -1 -2\n", &options(None)),
    ] {
        let error = read_dataset(&Source::memory(name, text.as_bytes()), options, &quiet).unwrap_err();
        assert!(error.to_string().ends_with("a carriage return inside a line"), "{error}");
    }
    assert!(read_names(&Source::memory("alphabet.txt", &b"a\rb\rc\n"[..])).is_err());
    let quoted = Source::memory("t.csv", &b"subject,item\r\nann,\"a\rb\"\r\n"[..]);
    assert_eq!(read_dataset(&quoted, &options(None), &quiet).unwrap().dataset.items.name(0), "a\rb");
}
