//! `throng demo`.

use crate::program::Desk;

#[test]
fn the_demo_fits_on_one_screen_and_its_commands_repeat_it() {
    let desk = Desk::new();
    let screen = desk.ok("demo").stdout;
    assert!(screen.lines().count() <= 24, "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    insta::assert_snapshot!(screen);

    let made = |file: &str| desk.read(&format!("throng-demo/{file}"));
    // The order of records is another one every time: the events of the release are compared whatever their records.
    let events = |file: &str| {
        let text = made(file);
        let mut items: Vec<String> =
            text.lines().map(|row| row.split_once(',').unwrap().1.to_owned()).collect();
        items.sort_unstable();
        items
    };
    let all = || (made("city/events.csv"), events("release/release.csv"));
    let before = all();
    // The commands are typed in the directory of the demo, as its first line says.
    let typed = screen.split("By hand:\n").nth(1).unwrap();
    let output = desk.shell(typed);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(all() == before, "the commands make another release");
}

#[test]
fn the_demo_replaces_an_earlier_one_and_nothing_else() {
    let desk = Desk::new();
    desk.ok("demo -o here");
    let told = desk.ok("demo -o here --json").json();
    assert_eq!((&told["schema"], &told["holds"]), (&"throng-demo/1".into(), &true.into()));
    desk.write("here/city/thesis.txt", "mine");
    let ran = desk.run("demo -o here");
    assert_eq!((ran.code, desk.read("here/city/thesis.txt").as_str()), (7, "mine"));
    assert_eq!(desk.files(), ["here"]);
}
