//! Disassociation against all possible worlds.

use std::collections::{BTreeMap, BTreeSet};

use throng_contract::{Progress, Settings};
use throng_data::{ChunkKind, Chunks, Dataset, EventKind, Inputs, ItemId, Release};
use throng_methods::Variant;
use throng_models::{DisassociatedKm, Evidence, Promise, Verdict};

use crate::set::world::{draw, run};

fn verdict(release: &Release, data: &Dataset, inputs: &Inputs, given: &[(&str, &str)]) -> Verdict {
    let settings = Settings::parse(DisassociatedKm.descriptor(), given.iter().copied()).unwrap();
    let evidence = Evidence { original: Some(data), inputs, ..Evidence::of(release) };
    DisassociatedKm.check(&evidence, &settings, 10, &Progress::silent()).unwrap()
}

/// Whether a cluster is above another, or the same.
fn is_within(chunks: &Chunks, lower: u32, upper: u32) -> bool {
    let parent = |cluster: &u32| chunks.clusters()[*cluster as usize].parent;
    std::iter::successors(Some(lower), parent).any(|cluster| cluster == upper)
}

/// The simple clusters to which a part of a chunk may belong: those below it that have none of its items nearer by.
fn may_have(chunks: &Chunks, chunk: usize, items: &[ItemId], simple: &[u32]) -> Vec<u32> {
    let own = chunks.cluster(chunk);
    let nearer = |cluster: u32| {
        (0..chunks.len()).any(|other| {
            let at = chunks.cluster(other);
            other != chunk
                && at != own
                && is_within(chunks, cluster, at)
                && is_within(chunks, at, own)
                && chunks.parts(other).any(|part| chunks.part(part).iter().any(|item| items.contains(item)))
        })
    };
    simple.iter().copied().filter(|cluster| is_within(chunks, *cluster, own) && !nearer(*cluster)).collect()
}

/// A person of a world in the making: the cluster, which of the known items they have, whether they have anything at
/// all, whether they have a part of the chunk at hand. Who is the same in all that is interchangeable.
type Person = (u32, u32, bool, bool);

/// The most people of a tree of clusters who have all the known items in one world; `None` if there is no world.
fn most_holders(chunks: &Chunks, root: u32, known: &[ItemId], hidden: &BTreeSet<ItemId>) -> Option<usize> {
    let joint = chunks.is_joint();
    let simple: Vec<u32> = (0..joint.len() as u32)
        .filter(|cluster| !joint[*cluster as usize] && is_within(chunks, *cluster, root))
        .collect();
    let mask = |items: &[ItemId]| {
        known.iter().enumerate().filter(|(_, item)| items.contains(item)).map(|(at, _)| 1 << at).sum::<u32>()
    };
    let mut people: Vec<Person> = Vec::new();
    for cluster in &simple {
        let terms: Vec<ItemId> = (0..chunks.len())
            .filter(|chunk| chunks.cluster(*chunk) == *cluster && chunks.kind(*chunk) == ChunkKind::Term)
            .flat_map(|chunk| chunks.parts(chunk).flat_map(|part| chunks.part(part).to_vec()))
            .filter(|item| !hidden.contains(item))
            .collect();
        for _ in 0..chunks.clusters()[*cluster as usize].size {
            people.push((*cluster, mask(&terms), !terms.is_empty(), false));
        }
    }
    people.sort_unstable();
    let mut worlds: BTreeSet<Vec<Person>> = BTreeSet::from([people]);
    for chunk in 0..chunks.len() {
        if chunks.kind(chunk) == ChunkKind::Term || !is_within(chunks, chunks.cluster(chunk), root) {
            continue;
        }
        for part in chunks.parts(chunk).map(|part| chunks.part(part)) {
            let clusters = may_have(chunks, chunk, part, &simple);
            let mut next = BTreeSet::new();
            for world in &worlds {
                let mut last = None;
                for (at, person) in world.iter().enumerate() {
                    if last == Some(*person) || person.3 || !clusters.contains(&person.0) {
                        continue;
                    }
                    last = Some(*person);
                    let mut world = world.clone();
                    world[at] = (person.0, person.1 | mask(part), true, true);
                    world.sort_unstable();
                    next.insert(world);
                }
            }
            worlds = next;
        }
        let free = |world: Vec<Person>| {
            let mut world: Vec<Person> =
                world.into_iter().map(|(at, has, some, _)| (at, has, some, false)).collect();
            world.sort_unstable();
            world
        };
        worlds = worlds.into_iter().map(free).collect();
    }
    let all = (1_u32 << known.len()) - 1;
    let real = worlds.iter().filter(|world| world.iter().all(|person| person.2));
    real.map(|world| world.iter().filter(|person| person.1 == all).count()).max()
}

/// A set of known items that no world gives to enough people although some world gives it to a person.
fn broken(chunks: &Chunks, k: usize, m: usize, hidden: &BTreeSet<ItemId>) -> Option<(Vec<ItemId>, usize)> {
    let items: BTreeSet<ItemId> =
        chunks.items().iter().copied().filter(|item| !hidden.contains(item)).collect();
    let items: Vec<ItemId> = items.into_iter().collect();
    let mut known = vec![Vec::new()];
    for item in &items {
        let longer = known.iter().filter(|set: &&Vec<ItemId>| set.len() < m);
        let longer: Vec<Vec<ItemId>> = longer.map(|set| [&set[..], &[*item]].concat()).collect();
        known.extend(longer);
    }
    for root in
        (0..chunks.clusters().len() as u32).filter(|at| chunks.clusters()[*at as usize].parent.is_none())
    {
        for known in known.iter().filter(|set| !set.is_empty()) {
            match most_holders(chunks, root, known, hidden) {
                Some(0) => {}
                Some(most) if most >= k => {}
                Some(most) => return Some((known.clone(), most)),
                None => return Some((Vec::new(), 0)),
            }
        }
    }
    None
}

fn people(state: &mut u64, most: u64) -> Vec<(usize, Vec<&'static str>)> {
    const NAMES: [&str; 9] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let names = 3 + draw(state, 7) as u64;
    let several = draw(state, 4) == 0;
    let count = 3 + draw(state, most);
    let mut records = Vec::new();
    for person in 0..count {
        let more = if several { draw(state, 3) } else { 0 };
        for _ in 0..=more {
            // Low numbers are more frequent.
            let item = |state: &mut u64| NAMES[draw(state, names).min(draw(state, names))];
            records.push((person, (0..1 + draw(state, 4)).map(|_| item(state)).collect()));
        }
    }
    records
}

fn dataset(records: &[(usize, Vec<&str>)]) -> Dataset {
    let names: Vec<String> = records.iter().map(|(person, _)| format!("p{person}")).collect();
    let records = records.iter().zip(&names).map(|((_, items), name)| (name.as_str(), items.iter().copied()));
    Dataset::from_records(EventKind::Set, records)
}

#[test]
fn every_combination_has_a_world_in_which_k_people_have_it() {
    let mut state = 13;
    let (mut joined, mut deep, mut searched) = (0, 0, 0);
    for case in 0..2_600 {
        let records = people(&mut state, 11);
        let data = dataset(&records);
        let k = 2 + draw(&mut state, 2);
        let m = 1 + draw(&mut state, 3);
        let most = 2 + draw(&mut state, 7);
        let sensitive = draw(&mut state, 4) == 0;
        let safe = draw(&mut state, 5) == 0;
        let inputs = match sensitive {
            true => Inputs { sensitive_items: vec!["b".to_owned()], ..Inputs::default() },
            false => Inputs::default(),
        };
        let (k_text, m_text, most_text) = (k.to_string(), m.to_string(), most.to_string());
        let safe_text = safe.to_string();
        let given =
            [("k", k_text.as_str()), ("m", &m_text), ("max-cluster", &most_text), ("safe", &safe_text)];
        let Ok(outcome) = run(&data, "disassociation", &given, Variant::Sound, &inputs) else { continue };
        let release = outcome.release.in_order_of_names();
        let asked = [("k", k_text.as_str()), ("m", &m_text), ("safe", &safe_text)];
        let verdict = verdict(&release, &data, &inputs, &asked);
        assert!(verdict.holds, "case {case}: {records:?} k={k} m={m} max={most} {:?}", verdict.violations);
        let chunks = release.body.chunks().unwrap();
        assert_eq!(chunks.people() as usize, data.events.subjects());
        let joint = chunks.is_joint();
        joined += usize::from(joint.contains(&true));
        let depth =
            |cluster: u32| (0..joint.len() as u32).filter(|other| is_within(chunks, cluster, *other)).count();
        deep += usize::from((0..joint.len() as u32).any(|cluster| depth(cluster) > 2));
        let parts: usize = (0..chunks.len())
            .filter(|chunk| chunks.kind(*chunk) != ChunkKind::Term)
            .map(|chunk| chunks.parts(chunk).len())
            .sum();
        if parts <= 20 {
            searched += 1;
            let hidden: BTreeSet<ItemId> = release
                .names()
                .iter()
                .enumerate()
                .filter(|(_, name)| sensitive && *name == "b")
                .map(|(item, _)| item as ItemId)
                .collect();
            let found = broken(chunks, k, m, &hidden);
            assert_eq!(found, None, "case {case}: {records:?} k={k} m={m} max={most}");
        }
    }
    assert!(
        joined > 300 && deep > 20 && searched > 2_000,
        "{joined} joined, {deep} deep, {searched} searched"
    );
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    let mut state = 99;
    let records = people(&mut state, 4_000);
    let data = dataset(&records);
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = || {
            run(&data, "disassociation", &[("k", "3"), ("max-cluster", "9")], Variant::Sound, Inputs::NONE)
        };
        pool.install(run).unwrap().release.body.chunks().cloned()
    };
    let one = of(1);
    assert!(one == of(2) && one == of(5));
    let sizes = one.as_ref().unwrap().clusters().iter().map(|cluster| cluster.size);
    let by_size: BTreeMap<u64, usize> = sizes.fold(BTreeMap::new(), |mut all, size| {
        *all.entry(size).or_default() += 1;
        all
    });
    assert!(by_size.keys().all(|size| *size >= 3), "{by_size:?}");
}
