//! Workbooks that claim more than they hold, or never end: a clear error with an exit code, and nothing written.

use std::fs;

use flate2::Crc;

use crate::program::Desk;

/// An archive of parts, none of them packed.
fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let (mut bytes, mut listed) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let mut sum = Crc::new();
        sum.update(content.as_bytes());
        let size = (content.len() as u32).to_le_bytes();
        let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        head.extend(sum.sum().to_le_bytes());
        head.extend([size, size].concat());
        head.extend((name.len() as u16).to_le_bytes());
        head.extend([0, 0]);
        let begins = (bytes.len() as u32).to_le_bytes();
        bytes.extend([&b"PK\x03\x04"[..], &head, name.as_bytes(), content.as_bytes()].concat());
        listed.extend([&b"PK\x01\x02\x14\0"[..], &head, &[0; 10], &begins, name.as_bytes()].concat());
    }
    let count = (parts.len() as u16).to_le_bytes();
    let (size, begins) = ((listed.len() as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    bytes.extend(listed);
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &begins, &[0, 0]].concat());
    bytes
}

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A workbook of people with one visit each, whose table of strings claims so many.
fn xlsx(people: usize, claimed: &str) -> Vec<u8> {
    let package = format!(
        "<Relationships><Relationship Id=\"a\" Type=\"{RELATIONSHIPS}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let book = format!(
        "<workbook xmlns:r=\"{RELATIONSHIPS}\"><sheets><sheet name=\"Trips\" sheetId=\"1\" r:id=\"a\"/></sheets></workbook>"
    );
    let links = format!(
        "<Relationships><Relationship Id=\"a\" Type=\"{RELATIONSHIPS}/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>"
    );
    let strings = format!(
        "<sst count=\"{claimed}\" uniqueCount=\"{claimed}\"><si><t>subject</t></si><si><t>item</t></si><si><t>zoo</t></si></sst>"
    );
    let people: String = (2..people + 2)
        .map(|row| {
            format!(
                "<row r=\"{row}\"><c r=\"A{row}\"><v>{row}</v></c><c r=\"B{row}\" t=\"s\"><v>2</v></c></row>"
            )
        })
        .collect();
    let names = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>1</v></c></row>";
    let sheet = format!("<worksheet><sheetData>{names}{people}</sheetData></worksheet>");
    archive(&[
        ("_rels/.rels", &package),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &links),
        ("xl/sharedStrings.xml", &strings),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

/// A sheet with these rows, and what ends it.
fn ods(rows: &str, end: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"Trips\">{rows}{end}"
    );
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest></manifest:manifest>"),
        ("content.xml", &content),
    ])
}

const ENDS: &str = "</table:table></office:spreadsheet></office:body></office:document-content>";

fn row(repeated: &str, cells: [&str; 2]) -> String {
    let cells = cells.map(|text| {
        format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
    });
    format!("<table:table-row{repeated}>{}</table:table-row>", cells.concat())
}

const RELEASE: &str = "--method suppress -k 2 -m 1 -o deep/out --no-ledger";

#[test]
fn a_sound_workbook_is_read() {
    let desk = Desk::new();
    fs::write(desk.path("trips.xlsx"), xlsx(2, "3")).unwrap();
    let rows = [("subject", "item"), ("7", "zoo"), ("8", "zoo")].map(|(a, b)| row("", [a, b])).concat();
    fs::write(desk.path("trips.ods"), ods(&rows, ENDS)).unwrap();
    for file in ["trips.xlsx", "trips.ods"] {
        desk.ok(&format!("anonymize {file} {RELEASE} --force"));
        assert_eq!(desk.read("deep/out/release.csv"), "record,item\n1,zoo\n2,zoo\n");
    }
}

/// The library reserved a hundred gigabytes for the one, and waited for the end of the other.
#[test]
fn a_workbook_that_lies_is_refused_and_nothing_is_left() {
    let desk = Desk::new();
    fs::write(desk.path("strings.xlsx"), xlsx(2, "4294967295")).unwrap();
    let rows = [("subject", "item"), ("7", "zoo")].map(|(a, b)| row("", [a, b])).concat();
    fs::write(desk.path("open.ods"), ods(&rows, "")).unwrap();
    let many = " table:number-rows-repeated=\"1048576\"";
    let wide = row(many, ["7", "zoo"]).replacen(
        "<table:table-cell ",
        "<table:table-cell table:number-columns-repeated=\"16000\" ",
        1,
    );
    fs::write(desk.path("repeats.ods"), ods(&wide, ENDS)).unwrap();
    let files = desk.files();
    for (file, code, told) in [
        ("strings.xlsx", 3, "it claims 4294967295 strings, and has 3"),
        ("open.ods", 3, "a part ends inside an element"),
        ("repeats.ods", 4, "--limit whole="),
    ] {
        for command in [format!("inspect {file}"), format!("anonymize {file} {RELEASE}")] {
            let refused = desk.fails(&command, code);
            assert!(refused.stderr.contains(told), "{command}: {}", refused.stderr);
            assert_eq!(desk.files(), files, "{command}");
        }
    }
}

/// What cannot be seen beforehand is ended by a limit of the process that reads.
#[test]
fn reading_a_workbook_is_limited_in_memory() {
    let desk = Desk::new();
    fs::write(desk.path("trips.xlsx"), xlsx(50_000, "3")).unwrap();
    let refused = desk.fails("inspect trips.xlsx --limit workbook=1MB", 4);
    assert!(refused.stderr.contains("--limit workbook="), "{}", refused.stderr);
}
