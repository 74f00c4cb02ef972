//! A verdict as a file: what was judged, by which version, on which bytes, with the checker's counts.
//!
//! A third party verifies a release and publishes the certificate beside it. `throng verify --against` repeats the verification and
//! compares: the same files, the same question, the same answer. A signature (minisign) says who vouches for it; it covers every
//! other byte of the certificate. There is no clock in it, so the same release gives the same statement anywhere.
//!
//! A certificate proves nothing by itself: it says what its signer found, and anyone can find it again.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throng_contract::{Class, Failure};
use throng_models::Answer;

use super::{JudgedPromise, Verification, Verified};
use crate::directory::hash_file;
use crate::manifest::parameters;

/// Name and version of the form.
pub const SCHEMA: &str = "throng-certificate/1";

/// A certificate larger than this is none.
const MAX_BYTES: u64 = 16 << 20;

/// A verdict with what it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    schema: String,
    /// The program that judged, with its version.
    program: String,
    /// The answer for the directory as a whole.
    answer: String,
    /// What was asked.
    question: Question,
    /// The answer to each promise.
    promises: Vec<CertifiedPromise>,
    /// Columns that attackers were taken to know.
    known: Vec<String>,
    /// Columns, values and items that must not be learned.
    sensitive: Vec<String>,
    /// What was not judged.
    not_judged: Vec<String>,
    /// Where the manifest contradicts the files.
    contradictions: Vec<String>,
    /// SHA-256 of every file of the directory, by name.
    files: BTreeMap<String, String>,
    /// Who vouches for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<Signature>,
}

/// What the person who verified typed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<(String, String)>,
    /// Roles of columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    roles: Vec<(String, String)>,
    /// Columns that attackers do not know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    not_known: Vec<String>,
    /// Values that must not be learned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sensitive_values: Vec<String>,
    /// Fingerprints of what was given beside the release: a linkage, attributes, lists.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    inputs: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertifiedPromise {
    promise: String,
    parameters: BTreeMap<String, Value>,
    statement: String,
    answer: String,
    checked: u64,
    broken: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signature {
    /// The minisign public key, in base64.
    key: String,
    /// The minisign signature over the certificate without this part.
    minisign: String,
}

/// What a certificate is signed with: a minisign secret key.
#[derive(Clone)]
pub struct SigningKey {
    secret: minisign::SecretKey,
    public: minisign::PublicKey,
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SigningKey")
    }
}

impl SigningKey {
    /// Reads a minisign secret key. One with a password needs it.
    pub fn read(path: &Path, password: Option<String>) -> Result<Self, Failure> {
        let bad = |what: &str, help: &'static str| {
            Failure::new(Class::BadInput, format!("`{}` {what}", path.display())).with_help(help)
        };
        let text = std::fs::read_to_string(path).map_err(|error| {
            bad(&format!("cannot be read: {error}"), "give a secret key that `minisign -G` wrote")
        })?;
        let boxed = || minisign::SecretKeyBox::from_string(&text);
        let unread = |_| bad("is no minisign secret key", "give the file that `minisign -G` wrote");
        let secret = match password {
            Some(password) => boxed().and_then(|key| key.into_secret_key(Some(password))).map_err(|_| {
                bad(
                    "cannot be opened with this password",
                    "set `THRONG_KEY_PASSWORD` to the password of the key",
                )
            })?,
            None => {
                let key = boxed().map_err(unread)?;
                key.into_unencrypted_secret_key().map_err(|_| {
                    bad("has a password", "set `THRONG_KEY_PASSWORD` to the password of the key")
                })?
            }
        };
        let public = minisign::PublicKey::from_secret_key(&secret).map_err(unread)?;
        Ok(SigningKey { secret, public })
    }
}

impl Certificate {
    /// The certificate of an answer, signed if a key is given.
    pub fn of(
        verification: &Verification,
        verified: &Verified,
        directory: &Path,
        key: Option<&SigningKey>,
    ) -> Result<Self, Failure> {
        let mut certificate = Certificate {
            schema: SCHEMA.to_owned(),
            program: format!("throng {}", env!("CARGO_PKG_VERSION")),
            answer: word(verified.answer()),
            question: Question::of(verification)?,
            promises: verified.promises().map(CertifiedPromise::of).collect(),
            known: verified.known.clone(),
            sensitive: verified.sensitive.clone(),
            not_judged: verified.not_judged(),
            contradictions: verified.contradictions.clone(),
            files: fingerprints(directory)?,
            signature: None,
        };
        if let Some(key) = key {
            let statement = certificate.to_json();
            let comment = Some(SCHEMA);
            let signed =
                minisign::sign(Some(&key.public), &key.secret, Cursor::new(statement), comment, comment)
                    .map_err(|error| {
                        Failure::new(Class::Internal, format!("the certificate was not signed: {error}"))
                    })?;
            certificate.signature =
                Some(Signature { key: key.public.to_base64(), minisign: signed.into_string() });
        }
        Ok(certificate)
    }

    /// Reads one.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let bad = |what: String| {
            Failure::new(Class::BadInput, format!("`{}` {what}", path.display()))
                .with_help("give a file that {throng verify --certificate} wrote")
        };
        let size = std::fs::metadata(path).map_err(|error| bad(format!("cannot be read: {error}")))?.len();
        if size > MAX_BYTES {
            return Err(bad(format!("has {size} bytes; a certificate has at most {MAX_BYTES}")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| bad(format!("cannot be read: {error}")))?;
        let certificate: Certificate =
            serde_json::from_str(&text).map_err(|_| bad("is no certificate".to_owned()))?;
        match certificate.schema == SCHEMA {
            true => Ok(certificate),
            false => Err(bad(format!("is no certificate of the form `{SCHEMA}`"))),
        }
    }

    /// Its text.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a certificate has string keys only");
        text.push('\n');
        text
    }

    /// The question it answers, asked of other files: what it says was typed replaces what was not.
    pub fn ask(&self, verification: &mut Verification) {
        let question = &self.question;
        if verification.promise.is_none() {
            verification.promise.clone_from(&question.promise);
            verification.settings.clone_from(&question.parameters);
        }
        if verification.files.roles.is_empty() {
            let role =
                |(name, role): &(String, String)| Some((name.clone(), throng_data::Role::parse(role)?));
            verification.files.roles = question.roles.iter().filter_map(role).collect();
        }
        if verification.not_known.is_empty() {
            verification.not_known.clone_from(&question.not_known);
        }
        if verification.files.sensitive_values.is_empty() {
            verification.files.sensitive_values.clone_from(&question.sensitive_values);
        }
    }

    /// Where another certificate of the same question says otherwise than this one; empty where it agrees. `signer` is the key that
    /// must have signed this one.
    pub fn differences(&self, now: &Certificate, signer: Option<&str>) -> Vec<String> {
        let mut found = Vec::new();
        if let Err(why) = self.check_signature(signer) {
            found.push(why);
        }
        for (name, sha256) in &self.files {
            match now.files.get(name) {
                Some(found_now) if found_now == sha256 => {}
                Some(_) => {
                    found.push(format!("`{name}` is not the file that was judged: its SHA-256 differs"))
                }
                None => found.push(format!("`{name}` was judged and is not there")),
            }
        }
        let added = now.files.keys().filter(|name| !self.files.contains_key(*name));
        found.extend(added.map(|name| format!("`{name}` is there and was not judged")));
        let parts = [
            ("the question", self.question != now.question),
            ("the answer", self.answer != now.answer),
            ("the promises or their counts", self.promises != now.promises),
            ("what is known to attackers", self.known != now.known),
            ("what is sensitive", self.sensitive != now.sensitive),
            ("what was not judged", self.not_judged != now.not_judged),
            ("where the manifest contradicts the files", self.contradictions != now.contradictions),
        ];
        let other = parts.into_iter().filter(|(_, differs)| *differs);
        found.extend(other.map(|(what, _)| format!("{what}: this verification comes to another result")));
        found
    }

    /// Who signed it, if anyone did: the public key.
    pub fn signer(&self) -> Option<&str> {
        self.signature.as_ref().map(|signature| signature.key.as_str())
    }

    fn check_signature(&self, signer: Option<&str>) -> Result<(), String> {
        let Some(signature) = &self.signature else {
            return match signer {
                Some(_) => Err("the certificate is not signed".to_owned()),
                None => Ok(()),
            };
        };
        if signer.is_some_and(|signer| signer != signature.key) {
            return Err("the certificate is signed with another key".to_owned());
        }
        let statement = Certificate { signature: None, ..self.clone() }.to_json();
        let invalid = || "the signature is not one of this certificate".to_owned();
        let key = minisign::PublicKey::from_base64(&signature.key).map_err(|_| invalid())?;
        let signed = minisign::SignatureBox::from_string(&signature.minisign).map_err(|_| invalid())?;
        minisign::verify(&key, &signed, Cursor::new(statement), true, false, false).map_err(|_| invalid())
    }
}

/// The public key in a minisign key file, or as base64 itself.
pub fn public_key(text: &str) -> Result<String, Failure> {
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    minisign::PublicKey::from_base64(line).map(|key| key.to_base64()).map_err(|_| {
        Failure::new(Class::BadInput, "this is no minisign public key")
            .with_help("give the file `minisign.pub`, or its second line")
    })
}

/// Whether a file is a certificate: it may lie beside the release that it speaks of.
pub(super) fn lies_at(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json") && Certificate::read(path).is_ok()
}

impl Question {
    fn of(verification: &Verification) -> Result<Self, Failure> {
        let files = &verification.files;
        let mut inputs = BTreeMap::new();
        for (role, source) in files.beside() {
            let path = source.path().map(Path::to_path_buf);
            let digest = source.digest().map(|digest| digest.to_string());
            let digest = digest.or_else(|| path.and_then(|path| hash_file(&path).ok())).unwrap_or_default();
            inputs.insert(role, digest);
        }
        if let Some(path) = verification.linkage.as_ref().and_then(|source| source.path()) {
            inputs.insert("linkage".to_owned(), hash_file(path).unwrap_or_default());
        }
        Ok(Question {
            promise: verification.promise.clone(),
            parameters: match verification.promise {
                Some(_) => verification.settings.clone(),
                None => Vec::new(),
            },
            roles: files.roles.iter().map(|(name, role)| (name.clone(), role.name().to_owned())).collect(),
            not_known: verification.not_known.clone(),
            sensitive_values: files.sensitive_values.clone(),
            inputs,
        })
    }
}

impl CertifiedPromise {
    fn of(judged: JudgedPromise) -> Self {
        CertifiedPromise {
            promise: judged.verdict.promise.to_owned(),
            parameters: parameters(&judged.settings),
            statement: judged.statement,
            answer: word(judged.verdict.answer()),
            checked: judged.verdict.checked,
            broken: judged.verdict.violations_total,
        }
    }
}

/// The answer as it is written.
fn word(answer: Answer) -> String {
    match answer {
        Answer::Holds => "holds",
        Answer::DoesNotHold => "does-not-hold",
        Answer::JudgedInPart => "judged-in-part",
        Answer::NotJudged => "not-judged",
    }
    .to_owned()
}

/// SHA-256 of every file of a directory but for certificates. Folders are not followed; the verdict names them as not judged.
fn fingerprints(directory: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let unread = |error: std::io::Error| {
        Failure::new(Class::BadInput, format!("`{}` cannot be read: {error}", directory.display()))
    };
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(directory).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        let Some(name) = path.file_name().filter(|_| path.is_file() && !lies_at(&path)) else { continue };
        files.insert(name.to_string_lossy().into_owned(), hash_file(&path).map_err(unread)?);
    }
    Ok(files)
}
