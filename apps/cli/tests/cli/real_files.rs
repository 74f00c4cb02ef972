//! Files as publishers have them: what `inspect` makes of them, and how they are prepared.

use crate::program::Desk;

const CHECKINS: &str = "user_id,poi,lat,lon,datetime,category,age\n\
    1,a,52.50,13.40,05/01/2024 08:10,bar,30\n1,b,52.51,13.41,05/01/2024 09:20,inn,30\n1,c,52.60,13.60,14/01/2024 09:20,inn,30\n\
    2,a,52.50,13.40,06/01/2024 08:10,bar,31\n2,b,52.51,13.41,06/01/2024 23:20,inn,31\n2,a,52.50,13.40,07/01/2024 07:20,bar,31\n\
    3,b,52.51,13.41,05/01/2024 08:10,inn,40\n3,a,52.50,13.40,05/01/2024 10:10,bar,40\n";

#[test]
fn a_file_is_opened_without_a_flag_and_says_what_to_type() {
    let desk = Desk::new();
    desk.write("checkins.csv", CHECKINS);
    insta::assert_snapshot!(desk.ok("inspect checkins.csv").all());
    let found = desk.ok("inspect checkins.csv --json").json();
    assert_eq!(found["shape"]["roles"]["subject"], "user_id");
    assert_eq!(found["shape"]["roles"]["time"], "datetime");
    assert_eq!(found["shape"]["time_format"], "%d/%m/%Y %H:%M");
    let flags = found["found"]["flags"].to_string();
    assert!(flags.contains("--lat") && flags.contains("--category"), "{flags}");
}

#[test]
fn points_are_told_apart_from_events() {
    let desk = Desk::new();
    desk.write(
        "points.txt",
        "lat,lng,datetime,uid\n39.9,116.3,2008/10/23 05:53:05,001\n39.8,116.3,2008/10/23 05:53:06,001\n",
    );
    insta::assert_snapshot!(desk.ok("inspect points.txt").all());
    assert_eq!(desk.ok("inspect points.txt --json").json()["shape"]["roles"]["subject"], "uid");
    let refused = desk.run("anonymize points.txt --method bf-p2ka -k 2 -o out");
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert!(refused.stderr.contains("throng prepare points.txt"), "{}", refused.stderr);
    desk.ok("prepare points.txt --subject uid --time datetime --lat lat --lon lng -o prepared");
}

#[test]
fn one_file_is_enough_for_a_method_that_needs_places() {
    let desk = Desk::new();
    desk.write("checkins.csv", CHECKINS);
    let asked = desk.run("anonymize checkins.csv --method seqanon -k 2 -m 1 -o out");
    assert_eq!(asked.code, 2, "{}", asked.stderr);
    assert!(asked.stderr.contains("--lat lat --lon lon"), "{}", asked.stderr);
    desk.ok("anonymize checkins.csv --lat lat --lon lon --method seqanon -k 2 -m 1 -o out");
    desk.write("places.csv", "poi,lat,lon\na,52.5,13.4\nb,52.51,13.41\nc,52.6,13.6\n");
    desk.ok("anonymize checkins.csv --places places.csv --method seqanon -k 2 -m 1 -o again");
    let twice = desk.run(
        "anonymize checkins.csv --places places.csv --lat lat --lon lon --method seqanon -k 2 -m 1 -o no",
    );
    assert_eq!(twice.code, 2, "{}", twice.stderr);
}

#[test]
fn events_are_made_coarser() {
    let desk = Desk::new();
    desk.write("checkins.csv", CHECKINS);
    let read = "--lat lat --lon lon --category category --attributes age";
    insta::assert_snapshot!(
        desk.ok(&format!(
            "prepare events checkins.csv {read} -o days --to-category --time-bin day --record-bin day --collapse \
             --keep hour=6..20 --drop age=40..99 --to 2024-01-10"
        ))
        .all()
    );
    assert_eq!(
        desk.read("days/events.csv"),
        "subject,record,item,time\n1,1,bar,2024-01-05T00:00:00\n1,1,inn,2024-01-05T00:00:00\n2,2,bar,2024-01-06T00:00:00\n\
         2,3,bar,2024-01-07T00:00:00\n"
    );
    assert_eq!(desk.read("days/records.csv"), "subject,age\n1,30\n2,31\n");
    desk.ok(&format!(
        "prepare events checkins.csv {read} -o cells --cell 5km --min-people 2 --max-length 99%"
    ));
    assert!(desk.read("cells/places.csv").starts_with("item,lat,lon\n"));
    desk.write("zones.csv", "a,mitte\nb,mitte\nc,ost\n");
    desk.ok("prepare events checkins.csv -o zones --map zones.csv --max-length 2");
    assert!(desk.read("zones/events.csv").contains(",mitte,"));
    let mut text = String::new();
    for (line, code) in [
        ("prepare events checkins.csv -o no --keep sometimes", 2),
        ("prepare events checkins.csv -o no --keep height=3", 2),
        ("prepare events checkins.csv -o no --to-category", 2),
        ("prepare events checkins.csv -o no --cell 5km", 2),
        ("prepare events checkins.csv -o no --from soon", 2),
        ("prepare events checkins.csv -o no --max-length none", 2),
        ("prepare events checkins.csv -o no --keep item=z", 3),
        ("prepare events checkins.csv --no-time -o no --time-bin day", 2),
    ] {
        let ran = desk.run(line);
        assert_eq!(ran.code, code, "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    assert!(!desk.path("no").exists());
}

/// Places as nodes, moves as edges; what fewer people did than asked is nowhere in the files.
#[test]
fn a_graph_is_made_of_places() {
    let desk = Desk::new();
    let mut rows = String::from("person,place,kind\n");
    for person in 1..=5 {
        rows.push_str(&format!(
            "{person},north station,Train Station\n{person},cafe,Food\n{person},park,Green\n"
        ));
    }
    rows.push_str("1,secret clinic,Health\n1,cafe,Food\n2,park,Green\n2,cafe,Food\n");
    desk.write("visits.csv", &rows);
    let read = "--subject person --item place --category kind";
    insta::assert_snapshot!(desk.ok(&format!("prepare graph visits.csv {read} -o graph")).all());
    assert_eq!(desk.read("graph/graph.lg"), "t # 1\nv 0 Train_Station\nv 1 Food\nv 2 Green\ne 0 1\ne 1 2\n");
    assert_eq!(
        desk.read("graph/nodes.csv"),
        "node,label,people\nnorth station,Train Station,5\ncafe,Food,5\npark,Green,5\n"
    );
    assert_eq!(desk.read("graph/edges.csv"), "from,to,weight\nnorth station,cafe,5\ncafe,park,5\n");
    for file in ["graph.lg", "nodes.csv", "edges.csv", "summary.json"] {
        assert!(!desk.read(&format!("graph/{file}")).contains("clinic"), "{file}");
    }
    let found = desk.ok("mine subgraphs graph/graph.lg --directed --min-support 1 --json").json();
    assert_eq!(found["patterns"].as_array().map(Vec::len), Some(3));
    desk.ok("mine subgraphs graph/edges.csv --labels graph/nodes.csv --min-support 1 --distance weights --delta 0.5");
    let summary =
        desk.ok(&format!("prepare graph visits.csv {read} --edges co-visits -o both --json")).json();
    assert_eq!((&summary["edges"], &summary["directed"]), (&3.into(), &false.into()));
    let mut text = String::new();
    for (line, code) in [
        ("prepare graph visits.csv --subject person --item place -o no --labels category", 2),
        ("prepare graph visits.csv --subject person --item place -o no --regions 3", 2),
        ("prepare graph visits.csv --subject person --item place -o no --sets --edges moves", 2),
        ("prepare graph visits.csv --subject person --item place -o no -k 1", 2),
        ("prepare graph visits.csv --subject person --item place -o no -k 6", 4),
        ("prepare graph visits.csv --subject person --item place -o graph", 7),
    ] {
        let ran = desk.run(line);
        assert_eq!(ran.code, code, "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    assert!(!desk.path("no").exists());
}

#[test]
fn taxonomies_and_constraints_are_made_from_one_file() {
    let desk = Desk::new();
    desk.write("checkins.csv", CHECKINS);
    let read = "--lat lat --lon lon --category category";
    let category = desk.ok(&format!("taxonomy checkins.csv {read} --by category")).stdout;
    assert!(category.ends_with("a;bar;*\nb;inn;*\nc;inn;*\n"), "{category}");
    let space = desk.ok(&format!("taxonomy checkins.csv {read} --by space --fan-out 2")).stdout;
    assert!(space.contains("a;a..b;*\nb;a..b;*\n"), "{space}");
    assert_eq!(desk.ok(&format!("constraints checkins.csv {read} --by category")).stdout, "a\nb,c\n");
    assert_eq!(desk.ok("constraints checkins.csv --by name --sets-of u1").stdout, "a\nb,c\n");
    assert_eq!(desk.run("constraints checkins.csv --by space").code, 2);
    desk.ok(&format!("constraints checkins.csv {read} --by space --groups 2 -o sets.csv"));
    desk.ok("anonymize checkins.csv --lat lat --lon lon --constraints sets.csv --method u-seqanon -k 2 -m 1 --max-suppressed 100% -o out");
}

#[test]
fn few_places_and_many_lost_points_are_asked_about() {
    let desk = Desk::new();
    let near: String =
        (0..150).map(|at| format!("p{},{},{},{}\n", at % 3, at, 52.5 + f64::from(at) / 1e6, 13.4)).collect();
    desk.write("near.csv", &format!("subject,time,lat,lon\n{near}q,0,-80,170\n"));
    let fast: String =
        (0..150).map(|at| format!("p,{at},{},0\n", if at % 2 == 0 { -60 } else { 60 })).collect();
    desk.write("fast.csv", &format!("subject,time,lat,lon\n{fast}"));
    let mut text = String::new();
    for line in ["prepare near.csv -o no", "prepare fast.csv -o no"] {
        let ran = desk.run(line);
        assert_eq!(ran.code, 3, "throng {line}\n{}", ran.stderr);
        text.push_str(&format!("$ throng {line}\n{}\n", ran.stderr));
    }
    insta::assert_snapshot!(text);
    desk.ok("prepare near.csv -o yes --accept-loss");
}

#[test]
fn categories_need_no_coordinates() {
    let desk = Desk::new();
    desk.write("checkins.csv", CHECKINS);
    let category = desk.ok("taxonomy checkins.csv --category category --by category").stdout;
    assert!(category.ends_with("a;bar;*\nb;inn;*\nc;inn;*\n"), "{category}");
    assert_eq!(desk.ok("constraints checkins.csv --category category --by category").stdout, "a\nb,c\n");
    desk.ok("prepare events checkins.csv --category category --to-category -o kinds");
    let kinds = desk.read("kinds/events.csv");
    assert!(kinds.contains("bar") && kinds.contains("inn") && !kinds.contains(",a"), "{kinds}");
    desk.ok("prepare events checkins.csv --category category --keep category=inn -o inns");
    assert!(desk.read("inns/events.csv").starts_with("subject,record,item,time,category\n"));
}
