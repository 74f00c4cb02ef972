//! What clusters that are safe by themselves say together.
//!
//! An attacker who knows a real place finds it in every cluster, whole in one and merged in another, and counts the people of
//! all of them. Shares stay below a bound when groups of people are put together; numbers add up. So in the form `count`
//! clusters that hold it apart can break it together. Longer knowledge fits fewer people, so places one by one decide.

use std::collections::BTreeMap;

use throng_data::ItemId;

use super::Cluster;
use crate::sequence::exposed::Diversity;

/// The first cluster with which more than `l` people who fit one place carry the same secret; `None` when there is none.
pub(super) fn first_too_many<'a>(
    clusters: impl Iterator<Item = (usize, &'a Cluster)>,
    diversity: impl Fn(&Cluster) -> Diversity,
) -> Option<usize> {
    let mut carriers_of: BTreeMap<(ItemId, usize), u64> = BTreeMap::new();
    for (at, cluster) in clusters {
        let diversity = diversity(cluster);
        let groups = &cluster.result.groups;
        for group in groups.all() {
            let mut carriers = vec![0_u32; diversity.kinds];
            groups.people(group).iter().for_each(|person| diversity.tally(*person, &mut carriers));
            for (secret, carriers) in carriers.iter().enumerate().filter(|(_, carriers)| **carriers > 0) {
                for item in cluster.result.members(group) {
                    let total = carriers_of.entry((item, secret)).or_default();
                    *total += u64::from(*carriers);
                    if *total > diversity.l {
                        return Some(at);
                    }
                }
            }
        }
    }
    None
}
