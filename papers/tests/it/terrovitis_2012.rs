//! TLMS12: Terrovitis, Liagouris, Mamoulis, Skiadopoulos. Privacy preservation by disassociation. PVLDB 5(10), 2012. Figures 2 to 5, Example 1,
//! Equation 1, and where the paper's algorithms do not keep what its lemmas say.
//!
//! One paper, one file: it is longer than others because the paper has many worked examples.

use std::collections::BTreeSet;

use throng_contract::{Progress, Settings};
use throng_data::{Body, ChunkKind, Chunks, Cluster, Dataset, EventKind, Inputs, Release};
use throng_methods::set::Disassociation;
use throng_methods::set::disassociation::with_clusters;
use throng_methods::{Method, MethodError, Outcome, Task, Variant};
use throng_models::{DisassociatedKm, Evidence, Promise, Verdict};
use throng_papers::positions;

const FIGURE_2: [&[&str]; 10] = [
    &["itunes", "flu", "madonna", "ikea", "ruby"],
    &["madonna", "flu", "viagra", "ruby", "audi a4", "sony tv"],
    &["itunes", "madonna", "audi a4", "ikea", "sony tv"],
    &["itunes", "flu", "viagra"],
    &["itunes", "flu", "madonna", "audi a4", "sony tv"],
    &["madonna", "digital camera", "panic disorder", "playboy"],
    &["iphone sdk", "madonna", "ikea", "ruby"],
    &["iphone sdk", "digital camera", "madonna", "playboy"],
    &["iphone sdk", "digital camera", "panic disorder"],
    &["iphone sdk", "digital camera", "madonna", "ikea", "ruby"],
];

fn data(records: &[&[&str]]) -> Dataset {
    let names: Vec<String> = (1..=records.len()).map(|number| number.to_string()).collect();
    let named = records.iter().zip(&names).map(|(items, name)| (name.as_str(), items.iter().copied()));
    Dataset::from_records(EventKind::Set, named)
}

/// Records of items with one letter each.
fn letters(records: &[&str]) -> Dataset {
    let split: Vec<Vec<&str>> =
        records.iter().map(|word| word.split("").filter(|letter| !letter.is_empty()).collect()).collect();
    let split: Vec<&[&str]> = split.iter().map(Vec::as_slice).collect();
    data(&split)
}

fn run(
    data: &Dataset,
    given: &[(&str, &str)],
    variant: Variant,
    inputs: &Inputs,
    clusters: Option<&[&[u32]]>,
) -> Result<Outcome, MethodError> {
    let settings = Settings::parse(Disassociation.descriptor(), given.iter().copied()).expect("in range");
    let progress = Progress::silent();
    let task = Task { variant, inputs, ..Task::new(data, &settings, &progress) };
    match clusters {
        Some(clusters) => with_clusters(&task, clusters.iter().map(|own| own.to_vec()).collect()),
        None => Disassociation.anonymize(&task),
    }
}

fn made(data: &Dataset, given: &[(&str, &str)], variant: Variant, clusters: Option<&[&[u32]]>) -> Release {
    run(data, given, variant, Inputs::NONE, clusters).expect("it can be made").release
}

fn judge(release: &Release, original: Option<&Dataset>, given: &[(&str, &str)], inputs: &Inputs) -> Verdict {
    let settings = Settings::parse(DisassociatedKm.descriptor(), given.iter().copied()).expect("in range");
    let evidence = Evidence { original, inputs, ..Evidence::of(release) };
    DisassociatedKm.check(&evidence, &settings, 100, &Progress::silent()).expect("it can be judged")
}

fn holds(release: &Release, k: &str, m: &str) -> bool {
    judge(release, None, &[("k", k), ("m", m)], Inputs::NONE).holds
}

fn chunks(release: &Release) -> &Chunks {
    release.body.chunks().expect("records were taken apart")
}

/// The items of each chunk of a kind of a cluster, sorted.
fn domains(release: &Release, cluster: u32, kind: ChunkKind) -> Vec<Vec<String>> {
    let chunks = chunks(release);
    let own =
        (0..chunks.len()).filter(|chunk| (chunks.cluster(*chunk), chunks.kind(*chunk)) == (cluster, kind));
    own.map(|chunk| {
        let items = chunks.parts(chunk).flat_map(|part| chunks.part(part));
        items.map(|item| release.name(*item)).collect::<BTreeSet<_>>().into_iter().collect()
    })
    .collect()
}

/// The parts of a chunk, sorted.
fn parts(release: &Release, chunk: usize) -> Vec<Vec<String>> {
    let chunks = chunks(release);
    let name = |part: usize| {
        let mut names: Vec<String> = chunks.part(part).iter().map(|item| release.name(*item)).collect();
        names.sort();
        names
    };
    let mut parts: Vec<Vec<String>> = chunks.parts(chunk).map(name).collect();
    parts.sort();
    parts
}

fn clusters(release: &Release) -> Vec<Vec<usize>> {
    let of = chunks(release).cluster_of.as_ref().expect("it was just made");
    let most = of.iter().max().map_or(0, |most| *most as usize + 1);
    (0..most)
        .map(|cluster| (0..of.len()).filter(|at| of[*at] as usize == cluster).map(|at| at + 1).collect())
        .collect()
}

/// How many people have an item of a cluster's chunks of a kind, as the chunks tell.
fn told(release: &Release, cluster: u32, kind: ChunkKind, item: &str) -> usize {
    let chunks = chunks(release);
    let own = (0..chunks.len()).filter(|at| (chunks.cluster(*at), chunks.kind(*at)) == (cluster, kind));
    own.flat_map(|at| chunks.parts(at).flat_map(|part| chunks.part(part)))
        .filter(|known| release.name(**known) == item)
        .count()
}

/// The most people who have all these items in any dataset that may have been published so: chunks are put together in every way
/// that leaves everyone with an item. Parts of a chunk must be alike, so that only who has them makes a difference.
fn most(release: &Release, wanted: &[&str]) -> usize {
    let chunks = chunks(release);
    let simple: Vec<(u32, usize)> = (0..chunks.clusters().len() as u32)
        .filter(|number| chunks.clusters().iter().all(|cluster| cluster.parent != Some(*number)))
        .map(|number| (number, chunks.clusters()[number as usize].size as usize))
        .collect();
    let people: Vec<u32> = simple.iter().flat_map(|(number, size)| vec![*number; *size]).collect();
    // Everybody by number, of whom some get these items.
    let mut given: Vec<(Vec<Vec<usize>>, Vec<String>)> = Vec::new();
    for chunk in 0..chunks.len() {
        let below = |person: &usize| {
            let own = people[*person];
            own == chunks.cluster(chunk)
                || chunks.clusters()[own as usize].parent == Some(chunks.cluster(chunk))
        };
        let reach: Vec<usize> = (0..people.len()).filter(below).collect();
        let choose = |size: usize| {
            let whom = positions(reach.len(), size);
            whom.into_iter().map(|whom| whom.into_iter().map(|at| reach[at]).collect::<Vec<usize>>())
        };
        let parts = parts(release, chunk);
        match chunks.kind(chunk) {
            ChunkKind::Term => {
                for term in parts.concat() {
                    given.push(((1..=reach.len()).flat_map(choose).collect(), vec![term]));
                }
            }
            ChunkKind::Record | ChunkKind::Shared => {
                assert!(parts.iter().all(|part| *part == parts[0]), "{parts:?}");
                given.push((choose(parts.len()).collect(), parts[0].clone()));
            }
        }
    }
    let wanted: u32 = given
        .iter()
        .enumerate()
        .filter(|(_, (_, items))| items.iter().any(|item| wanted.contains(&item.as_str())))
        .map(|(at, _)| 1 << at)
        .sum();
    let mut worlds = vec![vec![0_u32; people.len()]];
    for (at, (ways, _)) in given.iter().enumerate() {
        let with = |world: &Vec<u32>, whom: &Vec<usize>| {
            let mut world = world.clone();
            whom.iter().for_each(|person| world[*person] |= 1 << at);
            world
        };
        worlds = worlds.iter().flat_map(|world| ways.iter().map(move |whom| with(world, whom))).collect();
    }
    let valid = worlds.iter().filter(|world| world.iter().all(|person| *person > 0));
    let have = |world: &Vec<u32>| world.iter().filter(|person| **person & wanted == wanted).count();
    valid.map(have).max().unwrap_or(0)
}

const ALONE: (&str, &str) = ("refine", "false");

/// `dis-verpart-fig2`
#[test]
fn figure_2b_is_what_verpart_makes_of_its_clusters() {
    let data = data(&FIGURE_2);
    let release = made(
        &data,
        &[("k", "3"), ("m", "2"), ALONE],
        Variant::AsPrinted,
        Some(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]]),
    );
    assert_eq!(
        domains(&release, 0, ChunkKind::Record),
        [vec!["flu", "itunes", "madonna"], vec!["audi a4", "sony tv"]]
    );
    assert_eq!(domains(&release, 0, ChunkKind::Term), [["ikea", "ruby", "viagra"]]);
    assert_eq!(domains(&release, 1, ChunkKind::Record), [["digital camera", "iphone sdk", "madonna"]]);
    assert_eq!(domains(&release, 1, ChunkKind::Term), [["ikea", "panic disorder", "playboy", "ruby"]]);
    assert!(holds(&release, "3", "2"));
}

/// `dis-horpart-fig2`: the figure's clusters are not those of the algorithm, and one of the algorithm's is too small.
#[test]
fn horpart_makes_other_clusters_of_figure_2a() {
    let data = data(&FIGURE_2);
    let given = [("k", "3"), ("m", "2"), ("max-cluster", "5"), ALONE];
    let printed = made(&data, &given, Variant::AsPrinted, None);
    assert_eq!(clusters(&printed), [vec![1, 3, 7, 10], vec![2, 5, 6, 8], vec![4, 9]]);
    assert!(!holds(&printed, "3", "2"));
    let sound = made(&data, &given, Variant::Sound, None);
    assert!(chunks(&sound).clusters().iter().all(|cluster| cluster.size >= 3));
    assert!(holds(&sound, "3", "2"));
}

/// `dis-shared-chunk-fig3`
#[test]
fn figure_3_joins_both_clusters_over_ikea_and_ruby() {
    let data = data(&FIGURE_2);
    for variant in Variant::ALL {
        let release =
            made(&data, &[("k", "3"), ("m", "2")], variant, Some(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]]));
        assert_eq!(chunks(&release).clusters()[2], Cluster { parent: None, size: 10 });
        assert_eq!(chunks(&release).clusters()[0].parent, Some(2));
        let shared =
            (0..chunks(&release).len()).find(|chunk| chunks(&release).kind(*chunk) == ChunkKind::Shared);
        let both = || vec!["ikea".to_owned(), "ruby".to_owned()];
        let expected = [both(), both(), both(), vec!["ikea".to_owned()], vec!["ruby".to_owned()]];
        let mut expected = expected.to_vec();
        expected.sort();
        assert_eq!(parts(&release, shared.expect("a shared chunk")), expected);
        assert_eq!(domains(&release, 0, ChunkKind::Term), [["viagra"]]);
        assert_eq!(domains(&release, 1, ChunkKind::Term), [["panic disorder", "playboy"]]);
        assert!(holds(&release, "3", "2"));
        // Equation 1: 8/10 on the left, and on the right the four entries in term chunks that a reader had before: 4/10.
        let shown = |item| told(&release, 2, ChunkKind::Shared, item);
        let own: Option<&[&[u32]]> = Some(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]]);
        let before = made(&data, &[("k", "3"), ("m", "2"), ALONE], variant, own);
        let entries = |item| (0..2).map(|at| told(&before, at, ChunkKind::Term, item)).sum::<usize>();
        assert_eq!((shown("ikea") + shown("ruby"), entries("ikea") + entries("ruby")), (8, 4));
    }
}

/// A release that is written down by hand: for each cluster its parent and size, for each chunk its cluster, kind and parts.
fn written(clusters: &[(Option<u32>, u64)], listed: &[(u32, ChunkKind, &[&str])]) -> Release {
    let words: Vec<&str> = listed.iter().flat_map(|(_, _, parts)| parts.iter().copied()).collect();
    let data = letters(&words);
    let mut chunks = Chunks::new();
    for (parent, size) in clusters {
        chunks.push_cluster(Cluster { parent: *parent, size: *size });
    }
    for (cluster, kind, parts) in listed {
        chunks.push_chunk(*cluster, *kind);
        for part in *parts {
            chunks.push_part(part.chars().filter_map(|letter| data.items.find(&letter.to_string())));
        }
    }
    Release::of_items(data.items, Body::Chunks(chunks))
}

/// `dis-lemma2-fig4`: Example 1.
#[test]
fn example_1_has_too_few_parts_until_a_term_moves() {
    use ChunkKind::Record;
    let unsafe_one =
        written(&[(None, 5)], &[(0, Record, &["a", "a", "a"]), (0, Record, &["bc", "bc", "bc"])]);
    let verdict = judge(&unsafe_one, None, &[("k", "3"), ("m", "2")], Inputs::NONE);
    assert_eq!((verdict.holds, verdict.violations[0].support, verdict.violations[0].needed), (false, 6, 8));
    // The record that has a, b and c is unique in every dataset; once c is in the term chunk, two others.
    assert_eq!(most(&unsafe_one, &["a", "b"]), 1);
    let data = letters(&["a", "a", "bc", "bc", "abc"]);
    for variant in Variant::ALL {
        let release = made(&data, &[("k", "3"), ("m", "2")], variant, None);
        assert_eq!(domains(&release, 0, Record), [["a"], ["b"]]);
        assert_eq!(domains(&release, 0, ChunkKind::Term), [["c"]]);
        assert!(holds(&release, "3", "2"));
        assert_eq!(most(&release, &["a", "b"]), 3);
    }
}

/// `dis-property1-fig5`
#[test]
fn figure_5_is_unsafe_unless_like_parts_are_k_at_a_time() {
    use ChunkKind::{Record, Shared};
    let release = |shared: &[&str]| {
        written(
            &[(Some(2), 4), (Some(2), 6), (None, 10)],
            &[
                (0, Record, &["ax", "ax", "ax", "ax"]),
                (1, Record, &["b", "b", "b", "b", "b", "b"]),
                (2, Shared, shared),
            ],
        )
    };
    let verdict = judge(&release(&["ao", "ao", "ao", "o"]), None, &[("k", "3"), ("m", "2")], Inputs::NONE);
    let mut why = verdict.violations.iter().filter_map(|broken| broken.details.get("why"));
    assert!(!verdict.holds && why.any(|why| why.starts_with("Property 1")), "{verdict:?}");
    // The chunk is 3^2-anonymous: nothing is said of sets that too few parts have. It is not 3-anonymous, for the single o.
    let rare: Vec<(&str, u64)> = verdict
        .violations
        .iter()
        .filter_map(|broken| Some((broken.pattern.first()?.as_str(), broken.support)))
        .collect();
    assert_eq!(rare, [("o", 1)]);
    assert!(!verdict.violations.iter().any(|broken| broken.details["why"].starts_with("too few parts")));
    assert!(holds(&release(&["ao", "ao", "ao", "o", "o", "o"]), "3", "2"));
}

/// Property 1 alone is not enough: u and w may belong to seven people, of whom they need six, so that o finds one place beside y.
#[test]
fn like_parts_may_take_the_places_that_others_need() {
    use ChunkKind::{Record, Shared};
    let verdict = judge(
        &written(
            &[(Some(3), 4), (Some(3), 3), (Some(3), 3), (None, 10)],
            &[
                (0, Record, &["y", "y", "y", "y"]),
                (1, Record, &["z", "z", "z"]),
                (2, Record, &["uw", "uw", "uw"]),
                (3, Shared, &["u", "u", "u", "w", "w", "w", "o", "o", "o"]),
            ],
        ),
        None,
        &[("k", "3"), ("m", "2")],
        Inputs::NONE,
    );
    assert_eq!((verdict.holds, verdict.violations_total), (false, 1));
    // Chunks of their own leave room for all.
    assert!(holds(
        &written(
            &[(Some(3), 4), (Some(3), 3), (Some(3), 3), (None, 10)],
            &[
                (0, Record, &["y", "y", "y", "y"]),
                (1, Record, &["z", "z", "z"]),
                (2, Record, &["uw", "uw", "uw"]),
                (3, Shared, &["u", "u", "u", "w", "w", "w"]),
                (3, Shared, &["o", "o", "o"]),
            ],
        ),
        "3",
        "2"
    ));
}

/// `dis-small-cluster`
#[test]
fn a_cluster_of_one_gives_everything_away() {
    let data = letters(&["a", "a", "a", "a", "pqr"]);
    let given = [("k", "3"), ("m", "2"), ("max-cluster", "5")];
    let printed = made(&data, &given, Variant::AsPrinted, None);
    assert_eq!(clusters(&printed), [vec![1, 2, 3, 4], vec![5]]);
    assert_eq!(domains(&printed, 1, ChunkKind::Term), [["p", "q", "r"]]);
    assert_eq!(chunks(&printed).clusters()[1], Cluster { parent: None, size: 1 });
    assert_eq!(most(&printed, &["p", "q"]), 1);
    assert!(!holds(&printed, "3", "2"));
    let sound = made(&data, &given, Variant::Sound, None);
    assert_eq!(clusters(&sound), [[1, 2, 3, 4, 5]]);
    assert!(holds(&sound, "3", "2"));
}

/// `dis-horpart-nontermination`
#[test]
fn people_whom_nothing_divides_are_one_cluster() {
    let data = letters(&["a", "a", "a", "a", "a"]);
    for variant in Variant::ALL {
        let release = made(&data, &[("k", "2"), ("m", "2"), ("max-cluster", "3")], variant, None);
        assert_eq!(clusters(&release), [[1, 2, 3, 4, 5]]);
    }
}

/// `dis-refine-breaks-lemma2`
#[test]
fn a_join_may_take_away_what_lemma_2_rests_on() {
    let data = letters(&["at", "a", "bc", "bc", "abc", "d", "d", "d", "t", "t"]);
    let own: Option<&[&[u32]]> = Some(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]]);
    let given = [("k", "3"), ("m", "2")];
    let before = made(&data, &[given[0], given[1], ALONE], Variant::AsPrinted, own);
    assert_eq!(domains(&before, 0, ChunkKind::Record), [vec!["a"], vec!["b", "c"]]);
    assert_eq!(domains(&before, 1, ChunkKind::Record), [["d"]]);
    assert!((0..2).all(|cluster| domains(&before, cluster, ChunkKind::Term) == [["t"]]));
    assert!(holds(&before, "3", "2"));
    let printed = made(&data, &given, Variant::AsPrinted, own);
    let shared = (0..chunks(&printed).len()).find(|at| chunks(&printed).kind(*at) == ChunkKind::Shared);
    assert_eq!(parts(&printed, shared.expect("a shared chunk")), [["t"], ["t"], ["t"]]);
    assert!((0..2).all(|cluster| domains(&printed, cluster, ChunkKind::Term).is_empty()));
    assert!(!holds(&printed, "3", "2"));
    // Equation 1 holds, 3/10 against 2/10, and the guarantee does not: two people at most, where three are promised.
    let entries = (0..2).map(|cluster| told(&before, cluster, ChunkKind::Term, "t")).sum::<usize>();
    assert_eq!((told(&printed, 2, ChunkKind::Shared, "t"), entries), (3, 2));
    assert_eq!(chunks(&printed).clusters()[2].size, 10);
    assert_eq!(most(&printed, &["a", "b"]), 2);
    assert!(most(&before, &["a", "b"]) >= 3);
    let sound = made(&data, &given, Variant::Sound, own);
    assert_eq!(domains(&sound, 0, ChunkKind::Term), [["t"]]);
    assert!(holds(&sound, "3", "2"));
}

/// `dis-cross-chunk-bound-fig2`, `dis-cover`
#[test]
fn supports_link_items_across_chunks_unless_that_is_bounded() {
    let figure = data(&FIGURE_2);
    let cover = letters(&["az", "az", "az", "azy", "ay", "ay"]);
    let of_figure: Option<&[&[u32]]> = Some(&[&[0, 1, 2, 3, 4], &[5, 6, 7, 8, 9]]);
    let safe = [("k", "3"), ("m", "2"), ("safe", "true")];
    for (data, own) in [(&figure, of_figure), (&cover, None)] {
        let plain = made(data, &safe[..2], Variant::Sound, own);
        assert!(judge(&plain, Some(data), &safe[..2], Inputs::NONE).holds);
        assert!(!judge(&plain, Some(data), &safe, Inputs::NONE).holds);
        let bounded = made(data, &safe, Variant::Sound, own);
        assert!(judge(&bounded, Some(data), &safe, Inputs::NONE).holds);
    }
    // P1 of Figure 2b: four of five people have each of three terms, three each of two others. Of those three at least two have it.
    let plain = made(&figure, &safe[..2], Variant::AsPrinted, of_figure);
    let alone = made(&figure, &[safe[0], safe[1], ALONE], Variant::AsPrinted, of_figure);
    for release in [&plain, &alone] {
        for (x, y) in ["itunes", "flu", "madonna"].iter().flat_map(|x| ["audi a4", "sony tv"].map(|y| (x, y)))
        {
            let of = |item| told(release, 0, ChunkKind::Record, item);
            assert_eq!((of(x) + of(y) - 5, of(y)), (2, 3), "{x} given {y}");
        }
        let linked = judge(release, None, &safe, Inputs::NONE).violations;
        let of_p1 = linked.iter().filter(|broken| broken.details["cluster"] == "1");
        let found: Vec<(&str, u64)> =
            of_p1.map(|broken| (broken.pattern[0].as_str(), broken.support)).collect();
        let sure = ["audi a4", "flu", "itunes", "madonna", "sony tv"].map(|item| (item, 2));
        assert!(found.iter().all(|broken| sure.contains(broken)), "{found:?}");
        assert!(["audi a4", "sony tv"].iter().all(|item| found.contains(&(item, 2))), "{found:?}");
    }
    let plain = made(&cover, &safe[..2], Variant::Sound, None);
    assert_eq!(domains(&plain, 0, ChunkKind::Record), [vec!["a", "z"], vec!["y"]]);
    assert!(domains(&plain, 0, ChunkKind::Term).is_empty());
    assert_eq!(["a", "y"].map(|item| told(&plain, 0, ChunkKind::Record, item)), [6, 3]);
    let linked = judge(&plain, None, &safe, Inputs::NONE).violations;
    // Of three with y, three have a.
    assert!(linked.iter().any(|broken| broken.pattern == ["y"] && broken.support == 3), "{linked:?}");
    let bounded = made(&cover, &safe, Variant::Sound, None);
    assert_eq!(domains(&bounded, 0, ChunkKind::Term), [["y"]]);
}

/// `dis-sensitive-term-chunk`
#[test]
fn a_term_chunk_hides_how_many_have_a_sensitive_item_and_not_that_all_do() {
    let records = ["1h", "2h", "3h", "4h", "5h"];
    let data = letters(&records);
    let inputs = Inputs { sensitive_items: vec!["h".to_owned()], ..Inputs::default() };
    let given = [("k", "3"), ("m", "2"), ("l", "2")];
    let printed =
        run(&data, &given, Variant::AsPrinted, &inputs, None).expect("the paper publishes it").release;
    assert_eq!(domains(&printed, 0, ChunkKind::Term), [["1", "2", "3", "4", "5", "h"]]);
    // A cluster of five, so that one in five is claimed; everybody has it.
    assert_eq!(chunks(&printed).clusters(), [Cluster { parent: None, size: 5 }]);
    assert!(records.iter().all(|record| record.contains('h')));
    assert!(!judge(&printed, Some(&data), &given, &inputs).holds);
    let refused = run(&data, &given, Variant::Sound, &inputs, None).map(|_| ());
    assert!(matches!(refused, Err(MethodError::Infeasible { .. })), "{refused:?}");
    // Files alone cannot show it, and the answer says so.
    let judged = judge(&printed, None, &given, &inputs);
    assert!(judged.holds && !judged.not_judged.is_empty());
}

/// A person with two records is one person.
#[test]
fn records_are_not_people() {
    let two = [("p", ["a", "b"]), ("p", ["a", "b"]), ("q", ["a", "b"]), ("r", ["a", "b"])];
    let data = Dataset::from_records(EventKind::Set, two);
    let given = [("k", "4"), ("m", "2")];
    let printed = made(&data, &given, Variant::AsPrinted, None);
    assert!(!judge(&printed, Some(&data), &given, Inputs::NONE).holds);
    let refused = run(&data, &given, Variant::Sound, Inputs::NONE, None).map(|_| ());
    assert!(matches!(refused, Err(MethodError::Infeasible { .. })), "{refused:?}");
    assert!(
        judge(
            &made(&data, &[("k", "3")], Variant::Sound, None),
            Some(&data),
            &[("k", "3"), ("m", "2")],
            Inputs::NONE
        )
        .holds
    );
}
