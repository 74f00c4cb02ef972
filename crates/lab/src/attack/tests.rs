use super::*;

#[test]
fn known_cells_are_told_apart_by_their_columns() {
    let columns = ["age", "town"];
    let written = |know| {
        let clues = cell_clues(know, &columns).unwrap();
        clues.into_iter().map(|clue| format!("{}:{}", clue.column, clue.value)).collect::<Vec<_>>()
    };
    assert_eq!(written("age=34,town=A"), ["age:34", "town:A"]);
    assert_eq!(written("town = Bath, Somerset , age = 34"), ["town:Bath, Somerset", "age:34"]);
    assert_eq!(written("town=a=b"), ["town:a=b"]);
    let error = cell_clues("agee=34", &columns).unwrap_err();
    assert_eq!(error.help.map(|help| help.to_string()).as_deref(), Some("did you mean `age`?"));
}
