//! The groups in which `throng --help` lists the commands: what a publisher does, in that order.

/// A group of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Sample data, the workbench, setting up a shell.
    Start,
    /// What the data are, and what can be done with them.
    Look,
    /// Data and files that methods need.
    Prepare,
    /// From data to a release.
    Protect,
    /// Whether a release protects people, and what it is still good for.
    Judge,
    /// What belongs to a release that is given away.
    Publish,
    /// Experiments and patterns.
    Explore,
    /// Commands that the program runs itself; no help lists them.
    Internal,
}

impl Group {
    /// The groups of the help, in its order.
    pub const LISTED: [Group; 7] = [
        Group::Start,
        Group::Look,
        Group::Prepare,
        Group::Protect,
        Group::Judge,
        Group::Publish,
        Group::Explore,
    ];

    /// The heading in the help.
    pub const fn heading(self) -> &'static str {
        match self {
            Group::Start => "Start",
            Group::Look => "Look",
            Group::Prepare => "Prepare",
            Group::Protect => "Protect",
            Group::Judge => "Judge",
            Group::Publish => "Publish",
            Group::Explore => "Explore",
            Group::Internal => "Internal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::ALL;

    #[test]
    fn every_command_is_listed_in_a_group_or_hidden() {
        for entry in ALL {
            let command = (entry.command)();
            assert_eq!(
                command.is_hide_set(),
                !Group::LISTED.contains(&entry.group),
                "`{}` is in no group of the help, or is hidden and listed",
                command.get_name()
            );
        }
    }

    #[test]
    fn every_group_has_a_command() {
        for group in Group::LISTED {
            assert!(ALL.iter().any(|entry| entry.group == group), "no command in {}", group.heading());
        }
    }

    /// The table of commands is in the order of the help.
    #[test]
    fn commands_of_a_group_stand_together() {
        let mut groups: Vec<Group> = ALL.iter().map(|entry| entry.group).collect();
        groups.dedup();
        assert_eq!(groups[..groups.len() - 1], Group::LISTED);
    }
}
