//! [PSLG-SOA] Poulis, Skiadopoulos, Loukides, Gkoulalas-Divanis. Select-Organize-Anonymize: a framework for trajectory
//! data anonymization.
//!
//! One paper, one file: it is longer than others because the paper has many worked examples.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails, in its shared steps too")]

use std::collections::{BTreeMap, BTreeSet};

use throng_contract::{Progress, Settings, Threshold};
use throng_data::{Coordinates, Dataset, EventKind, Inputs, ItemId, Places, Release};
use throng_measure::distance;
use throng_methods::sequence::organize::keys::Keys;
use throng_methods::sequence::organize::order::{cut, gray_order, gray_rank};
use throng_methods::sequence::{Sga, Zga};
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_mine::Search;
use throng_models::{Evidence, KlmAnonymity, Promise, Verdict};
use throng_papers::{Draw, positions};

/// Figure 1a, recovered from Figures 2c and 3d; f and g are sensitive.
const FIGURE_1A: [&str; 6] = ["dace", "baec", "adef", "bdec", "dgc", "de"];

/// The map is lost; these cells have the Z-order a, b, d, e, c of Figure 1b and the neighbours that Example 7 needs.
const FIGURE_1B: [(&str, [f64; 2]); 5] =
    [("a", [0.0, 0.0]), ("b", [1.0, 0.0]), ("d", [0.0, 3.0]), ("e", [2.0, 4.0]), ("c", [3.0, 5.0])];

fn on_the_map(words: &[&str], map: &[(&str, [f64; 2])]) -> Dataset {
    let mut data = Dataset::from_words(words.iter().copied());
    // Sensitive places are never merged, so it does not matter where they are.
    let position =
        |name: &str| map.iter().find(|(place, _)| *place == name).map_or([9.0, 9.0], |(_, at)| *at);
    let points = data.items.names().map(position).collect();
    data.places = Some(Places { system: Coordinates::Plane, points, categories: None });
    data
}

fn sensitive() -> Inputs {
    Inputs { sensitive_items: vec!["f".to_owned(), "g".to_owned()], ..Inputs::default() }
}

fn run(
    method: &dyn Method,
    data: &Dataset,
    given: &[(&str, &str)],
    variant: Variant,
) -> Result<Outcome, MethodError> {
    let settings =
        Settings::parse(method.descriptor(), given.iter().copied()).expect("parameters are in range");
    // The columns of Figure 2, which only the key order `alphabet` looks at.
    let alphabet = Some(["c", "e", "b", "d", "a"].map(str::to_owned).to_vec());
    let inputs = Inputs { alphabet, ..sensitive() };
    let progress = Progress::silent();
    method.anonymize(&Task { inputs: &inputs, variant, ..Task::new(data, &settings, &progress) })
}

fn released(outcome: &Outcome) -> Vec<String> {
    (0..outcome.release.records()).map(|record| outcome.release.names_of(record).join(" ")).collect()
}

fn judge(release: &Release, k: u64, l: u64, m: u64, form: &str) -> Verdict {
    let [k, l, m] = [k, l, m].map(|value| value.to_string());
    let given = [("k", k.as_str()), ("l", l.as_str()), ("m", m.as_str()), ("form", form)];
    let settings = Settings::parse(KlmAnonymity.descriptor(), given).expect("parameters are in range");
    let inputs = sensitive();
    let evidence = Evidence { inputs: &inputs, ..Evidence::of(release) };
    KlmAnonymity.check(&evidence, &settings, 100, &Progress::silent()).expect("not cancelled")
}

fn judge_words(words: &[&str], k: u64, l: u64, m: u64, form: &str) -> Verdict {
    let data = Dataset::from_words(words.iter().copied());
    judge(&Release::identity(data.items, data.events), k, l, m, form)
}

#[test]
fn example_3_one_known_place_is_safe_and_two_are_not() {
    assert!(judge_words(&FIGURE_1A, 2, 2, 1, "ratio").holds);
    let verdict = judge_words(&FIGURE_1A, 2, 2, 2, "ratio");
    // The paper blames (a, d) on its sensitive place; its support of 1 is enough.
    assert!(verdict.violations.iter().any(|v| v.pattern == ["a", "d"] && v.support == 1));
}

#[test]
fn example_4_distances() {
    let points = vec![[0.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    let places = Places { system: Coordinates::Plane, points, categories: None };
    assert!((distance::location(&places, 0, &[0, 1, 2]) - 2.0 / 3.0).abs() < 1e-12);
    assert!((distance::location(&places, 2, &[0, 1, 2]) - 1.0).abs() < 1e-12);
    // (d, a, c, e) as (d, {a, b, c}, {a, b, c}, e): 5/12, printed as 0.42.
    let abc: &[ItemId] = &[0, 1, 2];
    let published = [(3, &[3][..]), (0, abc), (2, abc), (4, &[4][..])];
    let points = [places.points.clone(), vec![[5.0, 5.0], [9.0, 1.0]]].concat();
    let places = Places { points, ..places };
    assert!((distance::trajectory(&places, published).unwrap() - 5.0 / 12.0).abs() < 1e-12);
}

#[test]
fn figure_1b_z_values() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let z = data.places.as_ref().unwrap().z_values();
    let of = |name| z[data.items.find(name).unwrap() as usize];
    assert_eq!(["a", "b", "d", "e", "c"].map(of), [0, 1, 10, 36, 39]);
}

#[test]
fn section_3_gray_ranks_of_three_keys() {
    let rank = |key: u64| gray_rank(&[key << 61])[0] >> 61;
    assert_eq!([0b001, 0b011, 0b101].map(rank), [1, 2, 6]);
}

#[test]
fn example_5_figure_2_keys_and_gray_order() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let columns = |names: [&str; 5]| names.map(|name| data.items.find(name).unwrap());
    let clusters = |names| {
        let keys = Keys::of_items(&data.events, &columns(names), data.items.len());
        let order = gray_order(&keys, 6);
        cut(6, 2)
            .into_iter()
            .map(|range| order[range].iter().map(|t| t + 1).collect())
            .collect::<Vec<Vec<u32>>>()
    };
    let keys = Keys::of_items(&data.events, &columns(["c", "e", "b", "d", "a"]), data.items.len());
    let bits = |t| keys.of(t).iter().map(|column| 1 << (4 - column)).sum();
    let bits: Vec<u64> = (0..6).map(bits).collect();
    assert_eq!(bits, [0b11011, 0b11101, 0b01011, 0b11110, 0b10010, 0b01010]);
    assert_eq!(clusters(["c", "e", "b", "d", "a"]), [[6, 3, 1], [4, 2, 5]]);
    // The figure's columns are not the Z-order of the text, which gives other clusters.
    assert_eq!(clusters(["c", "e", "d", "b", "a"]), [[6, 3, 2], [4, 1, 5]]);
}

#[test]
fn example_6_figure_3_keys_of_frequent_itineraries() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    let inputs = sensitive();
    let hidden = data.items.ids(&inputs.sensitive_items);
    let events = data.events.retain(|_, _, item| !hidden.contains(&item));
    let found =
        Search::new(Threshold::Absolute(3)).sequences(&events, &|| false, &Progress::silent()).unwrap();
    let supports: BTreeMap<String, u64> =
        found.iter().map(|found| (data.items.named(found.items).concat(), found.support)).collect();
    let expected = [("d", 5), ("e", 5), ("de", 4), ("c", 4), ("dc", 3), ("a", 3), ("ae", 3)];
    // Figure 3a leaves out (a, e). Example 2 lists (d, e) before e and d, which more people have.
    assert_eq!(supports, expected.map(|(pattern, support)| (pattern.to_owned(), support)).into());
    let columns = ["e", "d"].map(|name| vec![data.items.find(name).unwrap()]);
    let keys = Keys::of_patterns(&events, &columns);
    let order = gray_order(&keys, 6);
    let clusters: Vec<Vec<u32>> =
        cut(6, 2).into_iter().map(|range| order[range].iter().map(|t| t + 1).collect()).collect();
    assert_eq!(clusters, [[5, 1, 3], [4, 6, 2]]);
}

#[test]
fn examples_5_and_6_figures_2c_and_3d() {
    let data = on_the_map(&FIGURE_1A, &FIGURE_1B);
    // Figure 2c needs the columns of the figure; with those of the text the clusters are others.
    let zga = [
        "{a|c|d|e} {a|c|d|e} {a|c|d|e} {a|c|d|e}",
        "{a|b|d} {a|b|d} e c",
        "{a|c|d|e} {a|c|d|e} {a|c|d|e} f",
        "{a|b|d} {a|b|d} e c",
        "{a|b|d} g c",
        "{a|c|d|e} {a|c|d|e}",
    ];
    let sga = [
        "{a|c|d|e} {a|c|d|e} {a|c|d|e} {a|c|d|e}",
        "{a|b|d} {a|b|d} e c",
        "{a|c|d|e} {a|c|d|e} {a|c|d|e} f",
        "{a|b|d} {a|b|d} e c",
        "{a|c|d|e} g {a|c|d|e}",
        "{a|b|d} e",
    ];
    let common = [("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "2")];
    let methods: [&dyn Method; 2] = [&Zga, &Sga];
    let own_settings = [("key-order", "alphabet"), ("itineraries", "2")];
    for ((method, own), expected) in methods.into_iter().zip(own_settings).zip([zga, sga]) {
        for distance in ["average", "single", "complete", "centroid"] {
            for (variant, form) in
                [(Variant::Sound, "ratio"), (Variant::Sound, "count"), (Variant::AsPrinted, "count")]
            {
                let given = [&common[..], &[own, ("distance", distance), ("form", form)]].concat();
                let outcome = run(method, &data, &given, variant).unwrap();
                assert_eq!(released(&outcome), expected, "{distance} {variant:?} {form}");
                assert!(judge(&outcome.release, 2, 2, 2, "ratio").holds);
            }
        }
    }
    let of_the_text = run(&Zga, &data, &common, Variant::AsPrinted).unwrap();
    assert_ne!(released(&of_the_text), zga);
}

#[test]
fn example_7_figure_4_lm_anon() {
    // The cluster {t4, t2, t5} alone.
    let data = on_the_map(&["baec", "bdec", "dgc"], &FIGURE_1B);
    let given = [("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "1")];
    let outcome = run(&Zga, &data, &given, Variant::AsPrinted).unwrap();
    assert_eq!(released(&outcome), ["{a|b|d} {a|b|d} e c", "{a|b|d} {a|b|d} e c", "{a|b|d} g c"]);
    let steps = &outcome.explanation.steps;
    let name =
        |items: &Vec<ItemId>| throng_data::render_item(items.iter().map(|item| data.items.name(*item)));
    let merged: Vec<Vec<String>> = steps.iter().map(|step| step.items.iter().map(name).collect()).collect();
    assert_eq!(merged, [["a", "b"], ["{a|b}", "d"]]);
    // Of size 1 only a is a problem; of size 2, after the first merge, these three.
    let problems = |records: [&'static str; 3], size: usize| -> BTreeMap<String, u64> {
        let records = records.map(|record| (record, record.split(' ')));
        let data = Dataset::from_records(EventKind::Sequence, records);
        let verdict = judge(&Release::identity(data.items, data.events), 2, 2, 2, "ratio");
        let of_size = verdict.violations.iter().filter(|violation| violation.pattern.len() == size);
        of_size.map(|violation| (violation.pattern.join(" "), violation.support)).collect()
    };
    let one = |name: &str| (name.to_owned(), 1);
    assert_eq!(problems(["b a e c", "b d e c", "d g c"], 1), BTreeMap::from([one("a")]));
    let after = problems(["ab ab e c", "ab d e c", "d g c"], 2);
    assert_eq!(after, BTreeMap::from([one("ab ab"), one("ab d"), one("d e")]));
    let pattern = |at: usize| steps[at].pattern.iter().map(name).collect::<Vec<_>>();
    assert_eq!((pattern(0), steps[0].support), (vec!["a".to_owned()], 1));
    assert_eq!((pattern(1), steps[1].support), (vec!["{a|b}".to_owned(); 2], 1));
}

#[test]
fn definition_3_counts_where_the_text_claims_a_share() {
    let confidence = |words: &[&str], l: u64| {
        let verdict = judge_words(words, 2, l, 1, "ratio");
        verdict.violations.first().map(|violation| violation.details["confidence"].clone())
    };
    // Two people, both with f: the letter is content, the attacker is certain.
    assert!(judge_words(&["af", "af"], 2, 2, 1, "count").holds);
    assert_eq!(confidence(&["af", "af"], 2).as_deref(), Some("2/2"));
    // 3 of 103 people: hardly a guess, yet the letter objects.
    let crowd: Vec<&str> = std::iter::repeat_n("a", 100).chain(["af"; 3]).collect();
    assert!(!judge_words(&crowd, 2, 2, 1, "count").holds);
    assert!(judge_words(&crowd, 2, 2, 1, "ratio").holds);
    assert_eq!((confidence(&crowd, 34), confidence(&crowd, 35).as_deref()), (None, Some("3/103")));
    // The letter holds for two clusters and not for their union, in which one in two has f.
    for cluster in [["af", "a"], ["af", "a"]] {
        assert!(judge_words(&cluster, 2, 1, 1, "count").holds);
    }
    let union = ["af", "a", "af", "a"];
    assert!(!judge_words(&union, 2, 1, 1, "count").holds);
    assert_eq!((confidence(&union, 2), confidence(&union, 3).as_deref()), (None, Some("2/4")));
    // "m locations" must be "up to m": every pair is shared, and the lone a is not. A list of sensitive items without
    // support is refused, so that nothing is sensitive here.
    let data = Dataset::from_words(["a", "bc", "bc"]);
    let release = Release::identity(data.items, data.events);
    let given = [("k", "2"), ("l", "2"), ("m", "2"), ("form", "count")];
    let settings = Settings::parse(KlmAnonymity.descriptor(), given).unwrap();
    let verdict = KlmAnonymity.check(&Evidence::of(&release), &settings, 100, &Progress::silent()).unwrap();
    let broken: Vec<(String, u64)> =
        verdict.violations.iter().map(|violation| (violation.pattern.concat(), violation.support)).collect();
    assert_eq!((verdict.holds, broken), (false, vec![("a".to_owned(), 1)]));
}

#[test]
fn the_count_form_allows_l_people_and_no_more() {
    let data = on_the_map(&["af", "af", "a", "b", "b"], &FIGURE_1B);
    let given = |l: &'static str| [("k", "2"), ("l", l), ("m", "1"), ("clusters", "1"), ("form", "count")];
    for variant in [Variant::Sound, Variant::AsPrinted] {
        // Two may have f, so nothing is merged; one may not, and merging a with b leaves it at two.
        assert_eq!(released(&run(&Zga, &data, &given("2"), variant).unwrap()), ["a f", "a f", "a", "b", "b"]);
        assert!(matches!(run(&Zga, &data, &given("1"), variant), Err(MethodError::Infeasible { .. })));
    }
}

#[test]
fn two_trajectories_of_one_person_are_one_person() {
    // Two trajectories have a and b, as the letter wants; they are one person's. So are those with f.
    let records = [("p", "ab"), ("p", "ab"), ("q", "cf"), ("q", "cf"), ("r", "c"), ("s", "c")];
    let split = records.map(|(person, word)| (person, word.split("").filter(|letter| !letter.is_empty())));
    let mut data = Dataset::from_records(EventKind::Sequence, split);
    data.places = on_the_map(&["ab", "cf"], &FIGURE_1B).places;
    let given = [("k", "2"), ("l", "3"), ("m", "1"), ("clusters", "1")];
    let printed = run(&Zga, &data, &given, Variant::AsPrinted).unwrap();
    assert_eq!(released(&printed), ["a b", "a b", "c f", "c f", "c", "c"]);
    // Of the three people at c one has f, so that one in three is not exceeded; of the four trajectories two would.
    let sound = run(&Zga, &data, &given, Variant::Sound).unwrap();
    let all = "{a|b|c}";
    let expected = [format!("{all} {all}"), format!("{all} {all}"), format!("{all} f"), format!("{all} f")];
    assert_eq!(released(&sound), [&expected[..], &[all.to_owned(), all.to_owned()]].concat());
    assert!(judge(&sound.release, 2, 3, 1, "ratio").holds);
}

#[test]
fn lm_anon_never_looks_back() {
    let map = [("a", [0.0, 0.0]), ("b", [1.0, 0.0]), ("c", [3.0, 2.0]), ("d", [2.0, 2.0])];
    let data = on_the_map(&["af", "ab", "bbf", "c", "d"], &map);
    let given = [("k", "2"), ("l", "2"), ("m", "2"), ("clusters", "1")];
    let printed = run(&Zga, &data, &given, Variant::AsPrinted).unwrap();
    assert_eq!(released(&printed), ["{a|b} f", "{a|b} {a|b}", "{a|b} {a|b} f", "{c|d}", "{c|d}"]);
    let verdict = judge(&printed.release, 2, 2, 2, "ratio");
    let broken = &verdict.violations[0];
    assert_eq!(
        (broken.pattern.as_slice(), broken.support, broken.details["confidence"].as_str()),
        (&["{a|b}".to_owned()][..], 3, "2/3")
    );
    let sound = run(&Zga, &data, &given, Variant::Sound).unwrap();
    let all = "{a|b|c|d}";
    let expected =
        [format!("{all} f"), format!("{all} {all}"), format!("{all} {all} f"), all.into(), all.into()];
    assert_eq!(released(&sound), expected);
    assert!(judge(&sound.release, 2, 2, 2, "ratio").holds);
}

#[test]
fn lm_anon_does_not_end_when_a_secret_is_too_common() {
    let data = on_the_map(&["af", "bf"], &FIGURE_1B);
    let given = |l: &'static str| [("k", "2"), ("l", l), ("m", "1"), ("clusters", "1")];
    assert!(matches!(run(&Zga, &data, &given("2"), Variant::Sound), Err(MethodError::Infeasible { .. })));
    // The letter allows two people with f, and publishes that everybody has it.
    let printed = run(&Zga, &data, &given("2"), Variant::AsPrinted).unwrap();
    assert_eq!(released(&printed), ["{a|b} f", "{a|b} f"]);
    assert!(!judge(&printed.release, 2, 2, 1, "ratio").holds);
    assert!(matches!(run(&Zga, &data, &given("1"), Variant::AsPrinted), Err(MethodError::Infeasible { .. })));
}

// ZGA and l^m-ANON once more, to the letter ---------------------------------------------------------------------------

/// How far two groups of places are apart.
fn apart(places: &Places, linkage: &str, a: &BTreeSet<ItemId>, b: &BTreeSet<ItemId>) -> f64 {
    let pairs = || a.iter().flat_map(|x| b.iter().map(move |y| places.distance(*x, *y)));
    let middle = |group: &BTreeSet<ItemId>| {
        let sum = group.iter().fold([0.0, 0.0], |[x, y], item| {
            let [right, up] = places.points[*item as usize];
            [x + right, y + up]
        });
        sum.map(|sum| sum / group.len() as f64)
    };
    match linkage {
        "single" => pairs().fold(f64::MAX, f64::min),
        "complete" => pairs().fold(0.0, f64::max),
        "centroid" => {
            let ([x, y], [u, v]) = (middle(a), middle(b));
            (x - u).hypot(y - v)
        }
        _ => pairs().sum::<f64>() / (a.len() * b.len()) as f64,
    }
}

/// One cluster: records without sensitive places, and the secrets of each.
struct LiteralCluster<'a> {
    records: Vec<Vec<ItemId>>,
    secrets: Vec<BTreeSet<ItemId>>,
    places: &'a Places,
    linkage: &'a str,
    /// People, people with a secret, length.
    limits: [usize; 3],
}

type Image = BTreeMap<ItemId, BTreeSet<ItemId>>;

impl LiteralCluster<'_> {
    /// Who has the pattern.
    fn people(&self, image: &Image, pattern: &[BTreeSet<ItemId>]) -> Vec<usize> {
        let has = |at: &usize| {
            let mut events = self.records[*at].iter();
            pattern.iter().all(|group| events.any(|item| image[item] == *group))
        };
        (0..self.records.len()).filter(has).collect()
    }

    fn is_problem(&self, people: &[usize]) -> bool {
        let [k, l, _] = self.limits;
        let secrets: BTreeSet<ItemId> =
            people.iter().flat_map(|at| self.secrets[*at].iter().copied()).collect();
        let with = |secret: &ItemId| people.iter().filter(|at| self.secrets[**at].contains(secret)).count();
        !people.is_empty() && (people.len() < k || secrets.iter().any(|secret| with(secret) > l))
    }

    /// l^m-ANON; nothing where its loop would not end.
    fn anonymize(&self) -> Option<Image> {
        let items: BTreeSet<ItemId> = self.records.iter().flatten().copied().collect();
        let mut image: Image = items.iter().map(|item| (*item, BTreeSet::from([*item]))).collect();
        for size in 1..=self.limits[2] {
            let mut problems: Vec<(usize, Vec<BTreeSet<ItemId>>)> = Vec::new();
            for record in &self.records {
                for positions in positions(record.len(), size) {
                    let pattern: Vec<BTreeSet<ItemId>> =
                        positions.iter().map(|at| image[&record[*at]].clone()).collect();
                    let people = self.people(&image, &pattern);
                    if self.is_problem(&people) && problems.iter().all(|(_, known)| *known != pattern) {
                        problems.push((people.len(), pattern));
                    }
                }
            }
            problems.sort_by_key(|(people, _)| *people);
            for (_, pattern) in problems {
                loop {
                    let now: Vec<BTreeSet<ItemId>> =
                        pattern.iter().map(|group| image[group.first().unwrap()].clone()).collect();
                    if !self.is_problem(&self.people(&image, &now)) {
                        break;
                    }
                    let support =
                        |group: &BTreeSet<ItemId>| self.people(&image, std::slice::from_ref(group)).len();
                    let rarest = now.iter().min_by_key(|group| support(group)).unwrap().clone();
                    let others: BTreeSet<&BTreeSet<ItemId>> =
                        image.values().filter(|other| **other != rarest).collect();
                    let partner = others.into_iter().min_by(|a, b| {
                        let far = |other| apart(self.places, self.linkage, &rarest, other);
                        let order = far(a) - far(b);
                        let order = if order.abs() < 1e-9 { 0.0 } else { order };
                        order
                            .total_cmp(&0.0)
                            .then_with(|| (support(a), a.first()).cmp(&(support(b), b.first())))
                    });
                    let joined: BTreeSet<ItemId> = rarest.union(partner?).copied().collect();
                    for item in joined.clone() {
                        image.insert(item, joined.clone());
                    }
                }
            }
        }
        Some(image)
    }
}

/// The Z-value of a cell: bits of the column and of the row by turns, the row's the higher.
fn interleaved(x: u64, y: u64) -> u64 {
    (0..8).map(|bit| (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1)).sum()
}

#[test]
fn zga_does_what_its_letter_says() {
    let map = [("a", [0.0, 0.0]), ("b", [1.0, 0.0]), ("d", [0.0, 3.0]), ("e", [2.0, 4.0]), ("c", [5.0, 6.0])];
    let (mut compared, mut endless) = (0, 0);
    for number in 0..600 {
        let mut draw = Draw::new(number);
        let words = draw.words([4, 12], 6, [1, 5]);
        let [k, l, m, clusters] =
            [2 + draw.below(2), 1 + draw.below(3), 1 + draw.below(3), 1 + draw.below(3)];
        let linkage = ["average", "single", "complete", "centroid"][draw.below(4)];
        let data = on_the_map(&words.iter().map(String::as_str).collect::<Vec<_>>(), &map);
        let secret: Vec<ItemId> = data.items.ids(&sensitive().sensitive_items);
        let places = data.places.as_ref().unwrap();
        // Keys: a bit for every place, the last in Z-order first; Gray order: every bit is the parity of those up to it.
        let z: Vec<u64> = places.points.iter().map(|[x, y]| interleaved(*x as u64, *y as u64)).collect();
        let mut columns: Vec<ItemId> = (0..z.len() as ItemId).filter(|item| !secret.contains(item)).collect();
        columns.sort_by_key(|item| std::cmp::Reverse((z[*item as usize], *item)));
        let rank = |record: usize| -> Vec<bool> {
            let bits = columns.iter().map(|item| data.events.record(record).contains(item));
            bits.scan(false, |parity, bit| {
                *parity ^= bit;
                Some(*parity)
            })
            .collect()
        };
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by_key(|record| rank(*record));
        let mut expected: Option<Vec<String>> = Some(vec![String::new(); words.len()]);
        // N/C people each; of those who are left over the first clusters take one each.
        let mut from = 0;
        for number in 0..clusters {
            let size = words.len() / clusters + usize::from(number < words.len() % clusters);
            let members = &order[from..from + size];
            from += size;
            let secret = &secret;
            let of = |at: &usize, wanted: bool| {
                data.events.record(*at).iter().copied().filter(move |item| secret.contains(item) == wanted)
            };
            let cluster = LiteralCluster {
                records: members.iter().map(|at| of(at, false).collect()).collect(),
                secrets: members.iter().map(|at| of(at, true).collect()).collect(),
                places,
                linkage,
                limits: [k, l, m],
            };
            let image = cluster.anonymize();
            expected = expected.zip(image).map(|(mut lines, image)| {
                for at in members {
                    let name = |item: &ItemId| match image.get(item) {
                        Some(group) => {
                            throng_data::render_item(group.iter().map(|item| data.items.name(*item)))
                        }
                        None => data.items.name(*item).to_owned(),
                    };
                    lines[*at] = data.events.record(*at).iter().map(name).collect::<Vec<_>>().join(" ");
                }
                lines
            });
        }
        let [k, l, m, clusters] = [k, l, m, clusters].map(|number| number.to_string());
        let given = [("k", &*k), ("l", &*l), ("m", &*m), ("clusters", &*clusters), ("distance", linkage)];
        let made = run(&Zga, &data, &given, Variant::AsPrinted).ok().map(|outcome| released(&outcome));
        assert_eq!(made, expected, "{number}: {words:?} {given:?}");
        compared += usize::from(made.is_some());
        endless += usize::from(made.is_none());
    }
    assert!(compared > 150 && endless > 20, "{compared} {endless}");
}
