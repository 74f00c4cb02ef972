use super::*;

fn lines(series: Vec<Series>) -> Chart {
    Chart {
        id: "risk".to_owned(),
        title: "Share of people found".to_owned(),
        description: "Two lines.".to_owned(),
        form: ChartKind::Lines,
        x: Axis::around("events known"),
        y: Axis::share("people"),
        series,
    }
}

fn two_lines() -> Chart {
    let before = [(1.0, Some(0.01)), (2.0, Some(0.2)), (3.0, Some(0.4))];
    let mut series = vec![
        Series::of("data", before),
        Series::of("release", [(1.0, Some(0.0)), (2.0, None), (3.0, Some(0.1))]),
    ];
    series[0].points[1].interval = Some([0.18, 0.22]);
    lines(series)
}

fn bars() -> Chart {
    Chart {
        id: "bars".to_owned(),
        form: ChartKind::Bars,
        x: Axis::categories("method", ["seqanon", "zga", "a method with a long name", "sga"]),
        y: Axis::from_zero("loss"),
        series: vec![
            Series::of("k = 5", [(0.0, Some(1.0)), (1.0, Some(2.0)), (2.0, None), (3.0, Some(0.5))]),
            Series::of("k = 10", [(0.0, Some(1.5)), (1.0, Some(2.5)), (2.0, Some(3.0)), (3.0, Some(-0.5))]),
        ],
        ..two_lines()
    }
}

fn frontier() -> Chart {
    let point = |x, y, label: &str| Point { x, y: Some(y), interval: None, label: Some(label.to_owned()) };
    Chart {
        id: "frontier".to_owned(),
        form: ChartKind::Frontier { x: Better::Low, y: Better::Low },
        x: Axis::log("seconds"),
        y: Axis::share("risk"),
        series: vec![
            Series {
                name: "seqanon".to_owned(),
                points: vec![point(1.0, 0.2, "k = 5"), point(2.0, 0.1, "k = 10")],
            },
            Series {
                name: "<zga>".to_owned(),
                points: vec![point(40.0, 0.3, "a & b"), point(0.0, 0.1, "no place")],
            },
        ],
        ..two_lines()
    }
}

/// Every element is closed by its own name, and every attribute is quoted.
fn assert_well_formed(svg: &str) {
    let mut reader = quick_xml::Reader::from_str(svg);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => break,
            Ok(quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag)) => {
                for attribute in tag.attributes() {
                    attribute.unwrap();
                }
            }
            Ok(_) => {}
            Err(error) => panic!("{error} at {}: {svg}", reader.buffer_position()),
        }
    }
}

#[test]
fn a_missing_value_breaks_the_line_and_is_not_drawn() {
    let drawing = inline(&two_lines());
    assert_eq!(
        drawing.matches("<polyline").count(),
        1,
        "one unbroken line; the other has no two neighbours\n{drawing}"
    );
    assert_eq!(drawing.matches("<circle").count(), 3, "three discs before\n{drawing}");
    assert_eq!(drawing.matches("<polygon").count(), 2, "two squares after\n{drawing}");
    assert!(drawing.contains("data: 2, 20\u{a0}% (18\u{a0}% to 22\u{a0}%)"), "{drawing}");
}

#[test]
fn drawings_are_well_formed_named_and_described() {
    for chart in [two_lines(), bars(), frontier(), lines(Vec::new())] {
        for drawing in [inline(&chart), standalone(&chart)] {
            assert_well_formed(&drawing);
            let id = &chart.id;
            assert!(drawing.contains(&format!("role=\"img\" aria-labelledby=\"{id}-title {id}-desc\"")));
            assert!(drawing.contains("<title id=") && drawing.contains("<desc id="));
            assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{drawing}");
        }
        assert!(standalone(&chart).contains("prefers-color-scheme: dark"));
        assert!(!inline(&chart).contains("<style"), "the page has the style");
    }
}

#[test]
fn series_differ_in_more_than_colour() {
    let series: Vec<Series> = (0..12)
        .map(|n| Series::of(format!("s{n}"), [(1.0, Some(n as f64)), (2.0, Some(n as f64))]))
        .collect();
    let chart = lines(series);
    let looks: std::collections::BTreeSet<_> =
        (0..12).map(|series| (style::marker(series) as u8, style::dashes(series))).collect();
    assert_eq!(looks.len(), 12);
    let drawing = inline(&chart);
    assert!((0..12).all(|n| drawing.contains(&format!(">s{n}</text>"))), "all are named in the legend");
}

#[test]
fn names_cannot_break_out_of_a_drawing_or_a_table() {
    let mut chart = frontier();
    chart.title = "</title><script>alert(1)</script>".to_owned();
    chart.series[0].name = "\"><script>".to_owned();
    for text in [inline(&chart), standalone(&chart), figure(&chart)] {
        assert!(!text.contains("<script"), "{text}");
    }
    assert_well_formed(&standalone(&chart));
}

#[test]
fn names_beside_lines_that_end_together_keep_apart() {
    let mut chart = two_lines();
    for series in &mut chart.series {
        series.points.iter_mut().for_each(|point| point.y = Some(0.0));
    }
    let drawing = inline(&chart);
    let height = |name: &str| -> f64 {
        let line = drawing.lines().find(|line| line.ends_with(&format!(">{name}</text>"))).unwrap();
        line.split("y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    assert!((height("data") - height("release")).abs() >= 15.0, "{drawing}");
}

#[test]
fn the_numbers_stand_behind_the_drawing() {
    insta::assert_snapshot!(table(&two_lines()));
    insta::assert_snapshot!(table(&frontier()));
    insta::assert_snapshot!(csv(&two_lines()) + &csv(&bars()));
}

#[test]
fn drawings_stay_as_they_are() {
    insta::assert_snapshot!(inline(&two_lines()));
}
