//! Manifests of version 0.1.0, `throng-release/1`, in today's form.
//!
//! They told exact counts of the data and the patterns that forced each merge. What is still asked for is kept; the rest
//! is passed over.

use serde_json::{Value, json};

/// The form that version 0.1.0 wrote.
pub(super) const SCHEMA: &str = "throng-release/1";

/// Brings the manifest into today's form.
pub(super) fn translate(manifest: &mut Value) {
    manifest["schema"] = json!(super::SCHEMA);
    if let Some(lost) = manifest.get_mut("suppression").and_then(Value::as_object_mut) {
        let some = |name: &str| lost.get(name).and_then(Value::as_u64).is_some_and(|count| count > 0);
        let any = some("events") || some("items");
        lost.insert("any".to_owned(), json!(any));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_suppressed_is_still_known() {
        let mut manifest =
            json!({"schema": SCHEMA, "suppression": {"items": 0, "events": 3, "events_share": 0.5}});
        translate(&mut manifest);
        assert_eq!(manifest["suppression"]["any"], true);
        assert_eq!(manifest["schema"], "throng-release/2");
        let mut nothing = json!({"schema": SCHEMA, "counts": {}});
        translate(&mut nothing);
        assert_eq!(nothing.get("suppression"), None);
    }
}
