//! [PMPG08] Pensa, Monreale, Pinelli, Pedreschi. Pattern-preserving k-anonymization of sequences. PiLBA 2008.

// Section 5.1, Data preparation: regions of interest.

mod regions_of_interest {
    use throng_prepare::regions::{DensityGrid, Rectangle, extract};

    /// The densest cell starts the first region and stays alone; the block of four grows right, then down.
    #[test]
    fn small_grid_gives_two_regions_in_order_of_density() {
        let grid = DensityGrid::new(3, vec![5, 4, 0, 4, 3, 0, 0, 0, 6]).expect("three whole rows");
        let regions = extract(&grid, 3);
        assert_eq!(
            regions.rectangles,
            [
                Rectangle { top: 2, left: 2, bottom: 2, right: 2 },
                Rectangle { top: 0, left: 0, bottom: 1, right: 1 },
            ]
        );
        assert_eq!([regions.of(1, 1), regions.of(2, 2), regions.of(0, 2)], [Some(1), Some(0), None]);
    }
}

// Sections 3 and 4: the promise and BF-P2kA.

mod bf_p2ka {
    use std::cmp::Reverse;
    use std::collections::{BTreeMap, BTreeSet};

    use throng_contract::{Progress, Settings, Threshold};
    use throng_data::{Dataset, EventKind, Nature};
    use throng_methods::sequence::BfP2ka;
    use throng_methods::{Method, Outcome, Task, Variant};
    use throng_mine::Search;
    use throng_models::{Evidence, P2k, Promise, Verdict};
    use throng_papers::Draw;

    /// Figure 1a.
    const TOY: [&str; 10] = ["ABCDEF", "ABCDEF", "ABCDEF", "ADEF", "ADEF", "ADEF", "BKS", "BK", "BK", "DEJF"];

    fn run(data: &Dataset, k: &str, variant: Variant) -> Outcome {
        let settings = Settings::parse(BfP2ka.descriptor(), [("k", k)]).expect("k is a parameter");
        let progress = Progress::silent();
        let task = Task { variant, ..Task::new(data, &settings, &progress) };
        BfP2ka.anonymize(&task).expect("some routes are shared")
    }

    fn words(outcome: &Outcome) -> Vec<String> {
        (0..outcome.release.records()).map(|record| outcome.release.names_of(record).concat()).collect()
    }

    fn check(outcome: &Outcome, original: &Dataset, k: &str, form: &str) -> Verdict {
        let settings =
            Settings::parse(P2k.descriptor(), [("k", k), ("form", form)]).expect("parameters of p2k");
        let evidence = Evidence { original: Some(original), ..Evidence::of(&outcome.release) };
        P2k.check(&evidence, &settings, 10, &Progress::silent()).expect("the original is there")
    }

    /// Both variants give what is printed. The figure numbers its rows anew; ours keep their place.
    #[test]
    fn figure_1b_the_toy_release() {
        let data = Dataset::from_words(TOY);
        for variant in [Variant::Sound, Variant::AsPrinted] {
            let outcome = run(&data, "2", variant);
            let expected = ["ABCDEF", "ABCDEF", "ABCDEF", "ADEF", "ADEF", "ADEF", "BK", "BK", "BK", "ADEF"];
            assert_eq!(words(&outcome), expected);
            assert!(check(&outcome, &data, "2", "both").holds);
            // The last person never was in A.
            assert_eq!(outcome.release.nature, Nature::Perturbed);
        }
    }

    #[test]
    fn section_4_1_cut_sequences_and_where_they_go() {
        let data = Dataset::from_words(TOY);
        let outcome = run(&data, "2", Variant::AsPrinted);
        let word =
            |groups: &[Vec<u32>]| groups.iter().map(|group| data.items.name(group[0])).collect::<String>();
        let steps: Vec<_> = outcome
            .explanation
            .steps
            .iter()
            .map(|step| (word(&step.pattern), step.support, word(&step.items)))
            .collect();
        let expected = [("BKS", 1, "BK"), ("DEJF", 1, "ADEF")];
        assert_eq!(steps, expected.map(|(cut, n, path)| (cut.to_owned(), n, path.to_owned())));
    }

    #[test]
    fn figure_2c_node_supports() {
        let mut supports = BTreeMap::new();
        for word in words(&run(&Dataset::from_words(TOY), "2", Variant::AsPrinted)) {
            for end in 1..=word.len() {
                *supports.entry(word[..end].to_owned()).or_insert(0) += 1;
            }
        }
        let printed = [("A", 7), ("AD", 4), ("ADE", 4), ("ADEF", 4), ("B", 3), ("BK", 3), ("AB", 3)];
        for (path, support) in printed {
            assert_eq!(supports[path], support, "{path}");
        }
    }

    /// Algorithms 3 and 5 say supp_D(T), which Section 3 defines over subsequences: BK has 3 people and ADEF 6. Figure 2
    /// only comes out with the number of records equal to T, 2 and 3.
    #[test]
    fn algorithm_3_adds_multiplicity_not_support() {
        let data = Dataset::from_words(TOY);
        let patterns = Search::new(Threshold::Absolute(1))
            .sequences(&data.events, &|| false, &Progress::silent())
            .expect("not cancelled");
        let support = |word: &str| {
            let items: Vec<_> =
                word.chars().filter_map(|c| data.items.find(c.encode_utf8(&mut [0; 4]))).collect();
            patterns.iter().find(|pattern| pattern.items == items).map(|pattern| pattern.support)
        };
        assert_eq!([support("BK"), support("ADEF")], [Some(3), Some(6)]);
        let equal = |word: &str| TOY.iter().filter(|other| **other == word).count();
        assert_eq!([equal("BK"), equal("ADEF")], [2, 3]);
        let before_moving: Vec<_> = words(&run(&data, "2", Variant::AsPrinted))
            .into_iter()
            .zip(TOY)
            .filter(|(new, old)| new == old)
            .map(|(new, _)| new)
            .collect();
        let kept = |word: &str| before_moving.iter().filter(|other| *other == word).count();
        assert_eq!([kept("BK"), kept("ADEF")], [2, 3]);
    }

    /// The minimum prefix of ABCDECDF that contains ACD is ABCD.
    #[test]
    fn example_1_minimum_prefix() {
        let data = Dataset::from_words(["ABCDECDF", "ABCDECDF", "ACD"]);
        assert_eq!(words(&run(&data, "2", Variant::AsPrinted)), ["ABCDECDF", "ABCDECDF", "ABCD"]);
    }

    /// Theorem 1 counts in the original data, where two people have A; in its own release A is unique. Pruning again
    /// cuts A, which has nothing in common with PR.
    #[test]
    fn theorem_1_does_not_hold_in_the_release() {
        let data = Dataset::from_words(["APR", "A", "PR", "PR"]);
        let printed = run(&data, "2", Variant::AsPrinted);
        assert_eq!(words(&printed), ["PR", "A", "PR", "PR"]);
        assert!(check(&printed, &data, "2", "original").holds);
        let verdict = check(&printed, &data, "2", "both");
        assert!(!verdict.holds);
        assert_eq!(verdict.violations_total, 1);
        assert_eq!(
            (verdict.violations[0].pattern.concat(), verdict.violations[0].support),
            ("A".to_owned(), 1)
        );

        let sound = run(&data, "2", Variant::Sound);
        assert_eq!(words(&sound), ["PR", "", "PR", "PR"]);
        assert_eq!(sound.release.suppression.emptied_records, 1);
        assert!(check(&sound, &data, "2", "both").holds);
    }

    // BF-P2kA once more, to the letter --------------------------------------------------------------------------------

    /// A longest common subsequence's length, by trying.
    fn common(a: &str, b: &str) -> usize {
        match (a.chars().next(), b.chars().next()) {
            (Some(x), Some(y)) if x == y => 1 + common(&a[1..], &b[1..]),
            (Some(_), Some(_)) => common(&a[1..], b).max(common(a, &b[1..])),
            _ => 0,
        }
    }

    /// How many different people have a record that begins so.
    fn beginning_with(records: &[(usize, String)], start: &str) -> usize {
        let owners = records.iter().filter(|(_, record)| record.starts_with(start)).map(|(owner, _)| owner);
        owners.collect::<BTreeSet<_>>().len()
    }

    /// Algorithms 1 to 5: every path of the pruned tree is compared with every sequence that was cut. `sound` prunes and attaches again
    /// until every beginning has no one or `k` people.
    fn letter(records: &[(usize, String)], k: usize, sound: bool) -> Vec<String> {
        let beginnings =
            |record: &String| (1..=record.len()).map(|end| record[..end].to_owned()).collect::<Vec<_>>();
        let mut tree: BTreeSet<String> = records.iter().flat_map(|(_, record)| beginnings(record)).collect();
        tree.retain(|start| beginning_with(records, start) >= k);
        let mut placed: Vec<Option<String>> =
            records.iter().map(|(_, record)| tree.contains(record).then(|| record.clone())).collect();
        loop {
            let owned = |placed: &[Option<String>]| -> Vec<(usize, String)> {
                let all =
                    records.iter().zip(placed).filter_map(|((owner, _), now)| Some((*owner, now.clone()?)));
                all.collect()
            };
            let now = owned(&placed);
            let leaves: Vec<&String> = tree
                .iter()
                .filter(|path| !tree.iter().any(|other| other.len() > path.len() && other.starts_with(*path)))
                .collect();
            for ((_, record), place) in records.iter().zip(&mut placed).filter(|(_, place)| place.is_none()) {
                // The longest common part; then the path that is nearest to it, which lacks nothing of it; then more people, then the first.
                let best = leaves.iter().min_by_key(|path| {
                    let shared = common(record, path);
                    let first = records.iter().position(|(_, other)| other.starts_with(**path));
                    (Reverse(shared), path.len() - shared, Reverse(beginning_with(&now, path)), first)
                });
                let attached = best.filter(|path| common(record, path) > 0).map(|path| {
                    let whole = common(record, path);
                    let end = (1..=path.len()).find(|end| common(record, &path[..*end]) == whole);
                    path[..end.unwrap_or(path.len())].to_owned()
                });
                *place = Some(attached.unwrap_or_default());
            }
            let now = owned(&placed);
            let support = |path: &str| beginning_with(&now, path);
            let rare = now.iter().flat_map(|(_, path)| beginnings(path)).any(|path| support(&path) < k);
            if !sound || !rare {
                return placed.into_iter().flatten().collect();
            }
            tree.retain(|path| support(path) >= k);
            for place in &mut placed {
                *place = place.take().filter(|path| path.is_empty() || tree.contains(path));
            }
        }
    }

    #[test]
    fn the_method_does_what_its_letter_says() {
        let (mut moved, mut again) = (0, 0);
        for number in 0..300 {
            let mut draw = Draw::new(number);
            let words = draw.words([5, 12], 3, [1, 5]);
            let k = 2 + draw.below(2);
            // Some people have two records, one after the other.
            let mut person = 0;
            let people: Vec<usize> = words
                .iter()
                .map(|_| {
                    person += usize::from(draw.below(4) > 0);
                    person
                })
                .collect();
            let names: Vec<String> = people.iter().map(usize::to_string).collect();
            let split = names
                .iter()
                .zip(&words)
                .map(|(name, word)| (name.as_str(), word.split("").filter(|letter| !letter.is_empty())));
            let data = Dataset::from_records(EventKind::Sequence, split);
            let mut results = Vec::new();
            for variant in [Variant::AsPrinted, Variant::Sound] {
                // The letter counts records.
                let owners =
                    (0..words.len()).map(|at| if variant == Variant::Sound { people[at] } else { at });
                let records: Vec<(usize, String)> = owners.zip(words.clone()).collect();
                let k_text = k.to_string();
                let settings =
                    Settings::parse(BfP2ka.descriptor(), [("k", k_text.as_str())]).expect("a parameter");
                let progress = Progress::silent();
                let task = Task { variant, ..Task::new(&data, &settings, &progress) };
                let expected = letter(&records, k, variant == Variant::Sound);
                match BfP2ka.anonymize(&task) {
                    Ok(outcome) => {
                        assert_eq!(
                            self::words(&outcome),
                            expected,
                            "{number} {variant:?} {words:?} {people:?}"
                        );
                    }
                    // Nothing would be left.
                    Err(_) => assert!(expected.iter().all(String::is_empty), "{number} {variant:?}"),
                }
                moved += usize::from(
                    expected.iter().zip(&words).any(|(now, then)| now != then && !now.is_empty()),
                );
                results.push(expected);
            }
            again += usize::from(results[0] != results[1]);
        }
        assert!(moved > 200 && again > 50, "{moved} {again}");
    }
}
