//! The publisher passes a certificate of one release off as that of another, or changes what it says.

use serde_json::{Value, json};

use crate::program::Desk;

/// A minisign key without a password, made for these tests, and its public half.
fn keys(desk: &Desk) -> String {
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    desk.write("secret.key", &pair.sk.to_box(None).unwrap().into_string());
    let public = pair.pk.to_base64();
    desk.write("public.key", &format!("untrusted comment: key\n{public}\n"));
    public
}

fn release(desk: &Desk, name: &str, people: usize) {
    let rows: String = (0..people).map(|person| format!("{person},a\n{person},b\n")).collect();
    desk.write("trips.csv", &format!("subject,item\n{rows}"));
    desk.ok(&format!("anonymize trips.csv --method suppress -k 2 -m 1 -o {name}"));
}

#[test]
fn a_certificate_is_of_its_files_and_its_signer() {
    let desk = Desk::new();
    keys(&desk);
    release(&desk, "out", 4);
    release(&desk, "other", 5);
    desk.ok("verify out --certificate verdict.json --sign secret.key");
    desk.ok("verify out --against verdict.json --signer public.key");
    // Beside the release it is no stray file.
    desk.write("out/certificate.json", &desk.read("verdict.json"));
    desk.ok("verify out --against verdict.json --signer public.key");

    let moved = desk.fails("verify other --against verdict.json --signer public.key", 5);
    assert!(moved.stdout.contains("`release.csv` is not the file that was judged"), "{}", moved.stdout);
    let mut changed: Value = serde_json::from_str(&desk.read("verdict.json")).unwrap();
    changed["promises"][0]["parameters"]["k"] = json!(50);
    desk.write("changed.json", &changed.to_string());
    let ran = desk.fails("verify out --against changed.json --signer public.key", 5);
    assert!(ran.stdout.contains("the signature is not one of this certificate"), "{}", ran.stdout);
    changed.as_object_mut().unwrap().remove("signature");
    desk.write("unsigned.json", &changed.to_string());
    desk.fails("verify out --against unsigned.json --signer public.key", 5);
    keys(&desk);
    let ran = desk.fails("verify out --against verdict.json --signer public.key", 5);
    assert!(ran.stdout.contains("signed with another key"), "{}", ran.stdout);
}

/// A verdict of a broken release can be certified, too; the certificate says so.
#[test]
fn a_certificate_says_what_was_found() {
    let desk = Desk::new();
    release(&desk, "out", 4);
    desk.fails("verify out --promise km -k 50 -m 1 --certificate verdict.json", 5);
    let certificate: Value = serde_json::from_str(&desk.read("verdict.json")).unwrap();
    assert_eq!(
        (&certificate["answer"], &certificate["schema"]),
        (&json!("does-not-hold"), &json!("throng-certificate/1"))
    );
    desk.fails("verify out --against verdict.json", 5);
    desk.fails("verify out --certificate verdict.json", 7);
    desk.write("bad.json", "{}");
    desk.fails("verify out --against bad.json", 3);
}
