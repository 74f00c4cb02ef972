//! Bundles of projects, as they come from a colleague, and as no workbench would write them.

use std::fs;
use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use serde_json::json;

use crate::client::{Answer, Place, Server};

const TRIPS: &str = "subject,item\nann,zoo\nann,pub\nbob,zoo\nbob,pub\n";

/// A file in a zip: its name, its content, and the size and checksum that the zip claims for it.
struct ZipEntry<'a> {
    name: &'a str,
    content: Vec<u8>,
    claimed: Option<u32>,
    checksum: Option<u32>,
}

fn entry(name: &str, content: impl Into<Vec<u8>>) -> ZipEntry<'_> {
    ZipEntry { name, content: content.into(), claimed: None, checksum: None }
}

/// A zip file with these entries, each packed as tightly as can be.
fn zip(entries: &[ZipEntry<'_>]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for ZipEntry { name, content, claimed, checksum } in entries {
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
        packer.write_all(content).unwrap();
        let packed = packer.finish().unwrap();
        let mut crc = Crc::new();
        crc.update(content);
        let mut about = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        about.extend(checksum.unwrap_or(crc.sum()).to_le_bytes());
        about.extend((packed.len() as u32).to_le_bytes());
        about.extend(claimed.unwrap_or(content.len() as u32).to_le_bytes());
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0, 0]);
        let at = all.len() as u32;
        all.extend(b"PK\x03\x04");
        all.extend(&about);
        all.extend(name.as_bytes());
        all.extend(packed);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&about);
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (at, size, count) = (all.len() as u32, directory.len() as u32, entries.len() as u16);
    all.extend(directory);
    all.extend(b"PK\x05\x06\0\0\0\0");
    [count, count].iter().for_each(|count| all.extend(count.to_le_bytes()));
    [size, at].iter().for_each(|number| all.extend(number.to_le_bytes()));
    all.extend([0, 0]);
    all
}

fn description() -> String {
    json!({"schema": "throng-project/1", "name": "sent", "source": "t.csv", "file": "data.csv", "reading": {},
        "edits": [], "position": 0, "inputs": []})
    .to_string()
}

fn open(server: &Server, bundle: &[u8]) -> Answer {
    server.ask_raw("POST", "/api/projects/bundle", "application/zip", bundle)
}

/// Nothing of a bundle that was refused is left.
fn nothing_is_left(place: &Place, server: &Server) {
    let left: Vec<_> = fs::read_dir(place.data().join("projects")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(server.get("/api/projects").as_array().unwrap().len(), 0);
}

#[test]
fn a_damaged_bundle_is_refused_as_any_bad_file() {
    let place = Place::new();
    let server = place.serve().enter();
    let good = [entry("project.json", description()), entry("data/data.csv", TRIPS)];
    let opened = open(&server, &zip(&good));
    assert_eq!(opened.status, 201, "{}", opened.text());
    let id = opened.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(server.ask("DELETE", &format!("/api/projects/{id}"), None).status, 204);

    let damaged = ZipEntry { checksum: Some(7), ..entry("data/data.csv", TRIPS) };
    let refused = open(&server, &zip(&[entry("project.json", description()), damaged])).refused(422);
    assert!(refused["detail"].as_str().unwrap().contains("damaged"), "{refused}");
    assert!(refused["help"].is_array());
    let damaged = ZipEntry { checksum: Some(7), ..entry("project.json", description()) };
    open(&server, &zip(&[damaged, entry("data/data.csv", TRIPS)])).refused(422);
    // Cut off at any place, or with any byte changed, it is refused or read, and never a fault of the program.
    let whole = zip(&good);
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0x15;
        for bundle in [&whole[..at], &changed[..]] {
            let answer = open(&server, bundle);
            assert!(
                matches!(answer.status, 201 | 400 | 422),
                "byte {at}: {} {}",
                answer.status,
                answer.text()
            );
            if answer.status == 201 {
                let path = format!("/api/projects/{}", answer.json()["id"].as_str().unwrap());
                assert_eq!(server.ask("DELETE", &path, None).status, 204);
            }
        }
    }
    nothing_is_left(&place, &server);
}

#[test]
fn a_bundle_that_unpacks_to_more_than_may_be_is_refused_with_the_limit() {
    let place = Place::new();
    let server = place.start(&["serve", "--max-upload", "1"]).enter();
    let rows = TRIPS.to_owned() + &"ann,zoo\n".repeat(375_000);
    let large = |claimed: Option<u32>| {
        let data = ZipEntry { claimed, ..entry("data/data.csv", rows.as_str()) };
        zip(&[entry("project.json", description()), data])
    };
    let bundle = large(None);
    assert!(bundle.len() < 20_000, "{}", bundle.len());
    for claimed in [None, Some(10), Some(u32::MAX - 1)] {
        let refused = open(&server, &large(claimed)).refused(422);
        let detail = refused["detail"].as_str().unwrap();
        // One that lies about its size is damaged, or too large: whichever is seen first.
        assert!(detail.contains("more than 2 MB, which is the limit") || claimed == Some(10), "{refused}");
    }
    let long = format!("{}{}", description(), " ".repeat(3_000_000));
    let refused =
        open(&server, &zip(&[entry("project.json", long), entry("data/data.csv", TRIPS)])).refused(422);
    assert!(refused["detail"].as_str().unwrap().contains("description is larger than 2 MB"), "{refused}");
    nothing_is_left(&place, &server);
}
