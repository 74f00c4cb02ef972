//! Which nodes of a pattern are alike: some symmetry of it takes one to the other.

use super::code::Link;
use super::index::turned;

/// For each node the first node that is like it.
pub(super) fn orbits(labels: &[u32], links: &[Link], directed: bool) -> Vec<u8> {
    let count = labels.len();
    let mut joined: Vec<Vec<Vec<u32>>> = vec![vec![Vec::new(); count]; count];
    for (from, to, kind) in links {
        joined[*from as usize][*to as usize].push(*kind);
        joined[*to as usize][*from as usize].push(turned(*kind, directed));
    }
    joined.iter_mut().flatten().for_each(|kinds| kinds.sort_unstable());
    let mut first: Vec<u8> = (0..count as u8).collect();
    for node in 1..count {
        for other in 0..node {
            let alone = first[other] == other as u8;
            if alone && labels[node] == labels[other] && symmetric(labels, &joined, other, node) {
                first[node] = other as u8;
                break;
            }
        }
    }
    first
}

/// Whether a symmetry takes `from` to `to`.
fn symmetric(labels: &[u32], joined: &[Vec<Vec<u32>>], from: usize, to: usize) -> bool {
    // Nodes in an order in which each is joined to an earlier one.
    let mut order = vec![from];
    while order.len() < labels.len() {
        let next = (0..labels.len()).find(|node| {
            !order.contains(node) && order.iter().any(|placed| !joined[*placed][*node].is_empty())
        });
        match next {
            Some(next) => order.push(next),
            None => break,
        }
    }
    let mut image = vec![to];
    extend(labels, joined, &order, &mut image)
}

fn extend(labels: &[u32], joined: &[Vec<Vec<u32>>], order: &[usize], image: &mut Vec<usize>) -> bool {
    let Some(node) = order.get(image.len()) else { return true };
    for candidate in 0..labels.len() {
        let fits = labels[candidate] == labels[*node]
            && !image.contains(&candidate)
            && image.iter().zip(order).all(|(placed, at)| joined[*at][*node] == joined[*placed][candidate]);
        if fits {
            image.push(candidate);
            if extend(labels, joined, order, image) {
                return true;
            }
            image.pop();
        }
    }
    false
}

/// A pattern: labels and edges.
type Shape<'a> = (&'a [u32], &'a [Link]);

/// Whether a pattern has another one as a part.
pub(super) fn contains(whole: Shape<'_>, part: Shape<'_>, directed: bool) -> bool {
    fn place(whole: Shape<'_>, part: Shape<'_>, directed: bool, image: &mut Vec<u8>) -> bool {
        let node = image.len();
        if node == part.0.len() {
            return true;
        }
        for candidate in 0..whole.0.len() as u8 {
            if whole.0[usize::from(candidate)] != part.0[node] || image.contains(&candidate) {
                continue;
            }
            image.push(candidate);
            let placed = |node: u8| image.get(usize::from(node)).copied();
            let fits = part.1.iter().all(|(from, to, kind)| match (placed(*from), placed(*to)) {
                (Some(from), Some(to)) => {
                    whole.1.contains(&(from, to, *kind))
                        || whole.1.contains(&(to, from, turned(*kind, directed)))
                }
                _ => true,
            });
            if fits && place(whole, part, directed, image) {
                return true;
            }
            image.pop();
        }
        false
    }
    place(whole, part, directed, &mut Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_a_path_are_alike_unless_its_edges_have_a_direction() {
        let links = [(0, 1, 0), (1, 2, 0)];
        assert_eq!(orbits(&[7, 7, 7], &links, false), [0, 1, 0]);
        assert_eq!(orbits(&[7, 7, 7], &links, true), [0, 1, 2]);
        assert_eq!(orbits(&[7, 7, 8], &links, false), [0, 1, 2]);
        assert_eq!(orbits(&[1, 1, 1], &[(0, 1, 0), (1, 2, 0), (2, 0, 0)], true), [0, 0, 0]);
    }
}
