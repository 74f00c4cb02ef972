//! A taxonomy that can be edited: names with parents.
//!
//! Names are unique, so that a name is its node's identifier. A node that lost all its children is written as a leaf; the
//! readers allow leaves that do not occur in the data.

use std::collections::BTreeMap;

use throng_data::Taxonomy;
use throng_data::formats::CUT_FROM_DATA;

/// A tree over names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    root: String,
    /// Children in the order of the file; leaves have no entry.
    children: BTreeMap<String, Vec<String>>,
    parents: BTreeMap<String, String>,
    /// Whether the file says that it was cut from the data; an edited one still is.
    pub cut_from_data: bool,
}

/// Why a change of the tree was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such node.
    Missing,
    /// Another node has the name, or it cannot be written to a file.
    Name,
    /// A node cannot be moved below itself.
    Loop,
    /// The root stays where it is.
    Root,
    /// Nothing can be put below an item.
    BelowItem,
}

impl Tree {
    /// The same tree, open for changes.
    pub fn of(taxonomy: &Taxonomy) -> Self {
        let root = taxonomy.name(taxonomy.root()).to_owned();
        let mut tree =
            Tree { root, children: BTreeMap::new(), parents: BTreeMap::new(), cut_from_data: false };
        let mut open = vec![taxonomy.root()];
        while let Some(node) = open.pop() {
            let name = taxonomy.name(node).to_owned();
            for child in taxonomy.children(node) {
                tree.hang(taxonomy.name(*child).to_owned(), name.clone());
                open.push(*child);
            }
        }
        tree
    }

    /// The root's name.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Whether there is such a node.
    pub fn holds(&self, name: &str) -> bool {
        name == self.root || self.parents.contains_key(name)
    }

    /// The children of a node.
    pub fn children(&self, name: &str) -> &[String] {
        self.children.get(name).map_or(&[], Vec::as_slice)
    }

    /// The parent of a node.
    pub fn parent(&self, name: &str) -> Option<&str> {
        self.parents.get(name).map(String::as_str)
    }

    /// How many leaves are below a node; a leaf counts itself.
    pub fn leaves(&self, name: &str) -> u64 {
        let mut count = 0;
        let mut open = vec![name];
        while let Some(node) = open.pop() {
            match self.children(node) {
                [] => count += 1,
                children => open.extend(children.iter().map(String::as_str)),
            }
        }
        count
    }

    /// Hangs a new node below another one.
    pub fn hang(&mut self, name: String, parent: String) {
        self.children.entry(parent.clone()).or_default().push(name.clone());
        self.parents.insert(name, parent);
    }

    /// Adds a node.
    pub fn add(&mut self, under: &str, name: &str, is_item: impl Fn(&str) -> bool) -> Result<(), Refusal> {
        self.need(under)?;
        self.fresh(name)?;
        if is_item(under) {
            return Err(Refusal::BelowItem);
        }
        self.hang(name.to_owned(), under.to_owned());
        Ok(())
    }

    /// Gives a node another name.
    pub fn rename(&mut self, id: &str, name: &str) -> Result<(), Refusal> {
        self.need(id)?;
        self.fresh(name)?;
        let children = self.children.remove(id);
        for child in children.iter().flatten() {
            self.parents.insert(child.clone(), name.to_owned());
        }
        if let Some(children) = children {
            self.children.insert(name.to_owned(), children);
        }
        match self.parents.remove(id) {
            Some(parent) => {
                for sibling in self.children.get_mut(&parent).into_iter().flatten() {
                    if sibling == id {
                        *sibling = name.to_owned();
                    }
                }
                self.parents.insert(name.to_owned(), parent);
            }
            None => self.root = name.to_owned(),
        }
        Ok(())
    }

    /// Moves a node with everything below it.
    pub fn shift(&mut self, id: &str, to: &str, is_item: impl Fn(&str) -> bool) -> Result<(), Refusal> {
        self.need(id)?;
        self.need(to)?;
        if id == self.root {
            return Err(Refusal::Root);
        }
        if is_item(to) {
            return Err(Refusal::BelowItem);
        }
        let mut above = Some(to);
        while let Some(node) = above {
            if node == id {
                return Err(Refusal::Loop);
            }
            above = self.parent(node);
        }
        self.unhang(id);
        self.hang(id.to_owned(), to.to_owned());
        Ok(())
    }

    /// Removes a node; its children go to its parent.
    pub fn remove(&mut self, id: &str) -> Result<(), Refusal> {
        self.need(id)?;
        let Some(parent) = self.parents.get(id).cloned() else { return Err(Refusal::Root) };
        self.unhang(id);
        for child in self.children.remove(id).into_iter().flatten() {
            self.hang(child, parent.clone());
        }
        Ok(())
    }

    fn unhang(&mut self, id: &str) {
        let Some(parent) = self.parents.remove(id) else { return };
        if let Some(siblings) = self.children.get_mut(&parent) {
            siblings.retain(|sibling| sibling != id);
            if siblings.is_empty() {
                self.children.remove(&parent);
            }
        }
    }

    fn need(&self, name: &str) -> Result<(), Refusal> {
        if self.holds(name) { Ok(()) } else { Err(Refusal::Missing) }
    }

    fn fresh(&self, name: &str) -> Result<(), Refusal> {
        let writable = name == name.trim() && !name.is_empty() && !name.contains([';', '\n', '\r', '"']);
        if writable && !self.holds(name) { Ok(()) } else { Err(Refusal::Name) }
    }

    /// One line for each leaf, from the leaf to the root.
    pub fn to_text(&self) -> String {
        let mut text = match self.cut_from_data {
            true => format!("{CUT_FROM_DATA}, and edited\n"),
            false => String::new(),
        };
        let mut open = vec![self.root.as_str()];
        while let Some(node) = open.pop() {
            let children = self.children(node);
            // The first child is on top of the stack.
            open.extend(children.iter().rev().map(String::as_str));
            if children.is_empty() {
                let mut at = Some(node);
                while let Some(name) = at {
                    text.push_str(name);
                    at = self.parent(name);
                    text.push_str(if at.is_some() { ";" } else { "\n" });
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        Tree::of(&Taxonomy::from_paths([["a", "x", "all"], ["b", "x", "all"], ["c", "y", "all"]]).unwrap())
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        assert_eq!(tree().to_text(), "a;x;all\nb;x;all\nc;y;all\n");
        assert_eq!((tree().leaves("all"), tree().leaves("x"), tree().leaves("a")), (3, 2, 1));
    }

    #[test]
    fn nodes_are_added_renamed_moved_and_removed() {
        let item = |name: &str| ["a", "b", "c"].contains(&name);
        let mut tree = tree();
        tree.add("all", "z", item).unwrap();
        tree.shift("b", "z", item).unwrap();
        tree.rename("x", "w").unwrap();
        tree.remove("y").unwrap();
        assert_eq!(tree.to_text(), "a;w;all\nb;z;all\nc;all\n");
    }

    #[test]
    fn what_would_break_the_tree_is_refused() {
        let item = |name: &str| ["a", "b", "c"].contains(&name);
        let mut tree = tree();
        let before = tree.clone();
        assert_eq!(tree.shift("x", "x", item), Err(Refusal::Loop));
        assert_eq!(tree.shift("all", "x", item), Err(Refusal::Root));
        assert_eq!(tree.shift("x", "a", item), Err(Refusal::BelowItem));
        assert_eq!(tree.remove("all"), Err(Refusal::Root));
        assert_eq!(tree.rename("x", "y"), Err(Refusal::Name));
        assert_eq!(tree.rename("x", "a;b"), Err(Refusal::Name));
        assert_eq!(tree.add("nowhere", "z", item), Err(Refusal::Missing));
        assert_eq!(tree, before);
    }
}
