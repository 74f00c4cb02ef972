//! Archives, workbooks and event logs, made for the test.

use std::io::Write;

/// The bytes, packed.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// A zip with these files.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Events of one person, as a sheet has them.
const SHEET: &str = r#"<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>user</t></is></c><c r="B1" t="inlineStr"><is><t>place</t></is></c><c r="C1" t="inlineStr"><is><t>time</t></is></c></row>
<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>mill, old</t></is></c><c r="C2"><v>7</v></c></row>
<row r="3"><c r="A3"><v>1</v></c><c r="B3" t="inlineStr"><is><t>quay</t></is></c><c r="C3"><v>3</v></c></row>
</sheetData></worksheet>"#;

/// Where a workbook says that its sheets are.
const PACKAGE: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;

/// A workbook with these sheets, all of them the same.
pub fn workbook(sheets: &[&str]) -> Vec<u8> {
    let entries: String = (1..)
        .zip(sheets)
        .map(|(at, name)| format!(r#"<sheet name="{name}" sheetId="{at}" r:id="rId{at}"/>"#))
        .collect();
    let book = format!(
        r#"<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{entries}</sheets></workbook>"#
    );
    let relations: String = (1..=sheets.len()).map(|at| format!(r#"<Relationship Id="rId{at}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{at}.xml"/>"#)).collect();
    let relations = format!(
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relations}</Relationships>"#
    );
    let types = r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
    let names: Vec<String> = (1..=sheets.len()).map(|at| format!("xl/worksheets/sheet{at}.xml")).collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", PACKAGE.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
    ];
    files.extend(names.iter().map(|name| (name.as_str(), SHEET.as_bytes())));
    archive(&files)
}

/// An event log of two people.
pub const XES: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1.0"><extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
<trace><string key="concept:name" value="A"/><int key="age" value="40"/>
<event><string key="concept:name" value="triage"/><date key="time:timestamp" value="2014-10-22T11:15:41.000+02:00"/></event>
<event><string key="concept:name" value="release &amp; call"/><date key="time:timestamp" value="2014-10-22T11:10:41.000+02:00"/></event></trace>
<trace><string key="concept:name" value="B"/>
<event><string key="concept:name" value="triage"/><date key="time:timestamp" value="2014-10-22T11:15:41.000+02:00"/></event></trace></log>"#;
