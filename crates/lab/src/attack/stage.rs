//! The data and the release of an attack, read and fitted together, with the secrets in both.

mod doubts;
use self::doubts::{doubts, made_from_other_data};
use std::path::Path;
use std::sync::Arc;

use throng_contract::{Class, Failure, Input, Progress};
use throng_data::formats::{Source, read_names};
use throng_data::{Dictionary, Events, GeneralisedItem, ItemId, RecodedTable, Release};
use throng_measure::attack::table::TableScene;
use throng_measure::attack::{ATTACKER, Own, Scene, Secrets, links};
use throng_measure::reconstruction::reconstruct;

use super::Attacking;
use super::beside::{columns_of, people_of};
use super::wishes::Wishes;
use throng_data::load::{Loaded, sensitive_values};
use throng_release::load::load;
use throng_release::manifest::Manifest;
use throng_release::published::{explain_cells, read_release};

/// Everything attackers may look at.
pub(super) struct Stage {
    cast: Cast,
    /// Items that attackers do not know but want to learn.
    hidden: Vec<ItemId>,
    /// Secrets of the people knowledge is drawn from.
    truth: Option<Secrets>,
    /// Secrets as the release shows them.
    released: Option<Secrets>,
    /// Where records were taken apart: possible datasets, the first of which stands for the release elsewhere.
    worlds: Vec<World>,
    /// How far answers can be relied on.
    pub notes: Vec<String>,
}

/// A possible dataset, and the secrets it shows.
struct World {
    release: Release,
    released: Option<Secrets>,
}

/// What there is to attack.
enum Cast {
    /// Data, and perhaps a release of them, which names items as the data do.
    Data(Box<Loaded>, Option<(Release, Own)>),
    /// A release alone.
    Release(Release),
}

impl Stage {
    /// Reads the data, or a release directory in their place, and the release. Of records that were taken apart so many possible datasets
    /// are drawn.
    pub fn set(attacking: &Attacking, worlds: u64, progress: &Progress) -> Result<Self, Failure> {
        match (attacking.files.data.path().filter(|path| path.is_dir()), &attacking.release) {
            (Some(directory), None) => Stage::of_release(directory, attacking, worlds, progress),
            (None, _) => Stage::of_data(attacking, worlds, progress),
            (Some(_), Some(_)) => {
                let message = "the data is a release directory, and `release` names another one";
                Err(Failure::new(Class::Usage, message)
                    .with_help("give the original data and {release DIR}, or one directory alone"))
            }
        }
    }

    fn of_data(attacking: &Attacking, worlds: u64, progress: &Progress) -> Result<Self, Failure> {
        let loaded = load(&attacking.files, &ATTACKER, progress)?;
        if !loaded.inputs.sensitive_values.is_empty() && loaded.data.attributes.is_none() {
            let message = "`sensitive-values` needs the attributes of the subjects";
            return Err(Failure::new(Class::Usage, message).with_help("give them with {records FILE}"));
        }
        let mut notes = loaded.notes.clone();
        let data = &loaded.data;
        let hidden = data.items.ids(&loaded.inputs.sensitive_items);
        let wishes = Wishes::new(
            loaded.inputs.sensitive_items.clone(),
            &loaded.inputs.sensitive_values,
            data.attributes.as_ref(),
            data.events.subjects(),
        );
        let secret_of: Vec<Option<u32>> = (0..data.items.len() as ItemId)
            .map(|item| hidden.iter().position(|secret| *secret == item).map(|place| place as u32))
            .collect();
        let truth = wishes.secrets(&data.events, &secret_of, data.attributes.as_ref());
        let Some(directory) = &attacking.release else {
            return Ok(Stage {
                cast: Cast::Data(Box::new(loaded), None),
                hidden,
                truth,
                released: None,
                worlds: Vec::new(),
                notes,
            });
        };
        let manifest = Manifest::read(directory)?;
        // It is asked twice: whose the records are, and who of the data they are.
        let linkage = attacking.linkage.as_ref().map(Source::held).transpose()?;
        let linkage = linkage.as_ref();
        let mut release = read_release(directory, manifest.as_ref(), linkage, progress)?;
        refuse_without_records(&release, directory)?;
        name_as(&mut release, &data.items, directory)?;
        let drawn = possible(&mut release, worlds, attacking.seed, &mut notes, progress)?;
        if let Some((other, links)) = &attacking.beside {
            let Some(linkage) = linkage else {
                let message = "`beside` needs to know whose the records of both releases are";
                return Err(Failure::new(Class::Usage, message)
                    .with_help("give the files that {linkage} wrote: {linkage FILE} {beside-linkage FILE}"));
            };
            let columns = columns_of(other, links, &people_of(linkage, progress)?, progress)?;
            release.body = release.body.beside(columns);
            notes.push(
                "the columns are those of another release: what both releases say of a person was taken together"
                    .to_owned(),
            );
        }
        explain_cells(&mut release, &loaded.inputs.hierarchies);
        let own = match linkage {
            Some(linkage) => linked(&data.subjects, linkage, progress)?,
            None => Own::Unknown,
        };
        notes.extend(made_from_other_data(&loaded, manifest.as_ref()));
        if drawn.is_empty() {
            notes.extend(doubts(&release, manifest.as_ref(), linkage.is_some()));
        }
        let given_away = Secrets::given_away(&release, &hidden);
        let released = wishes.published(&release, &given_away, &mut notes);
        let worlds = with_secrets(drawn, |world| wishes.published(world, &given_away, &mut Vec::new()));
        let cast = Cast::Data(Box::new(loaded), Some((release, own)));
        Ok(Stage { cast, hidden, truth, released, worlds, notes })
    }

    fn of_release(
        directory: &Path,
        attacking: &Attacking,
        worlds: u64,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let files = &attacking.files;
        let manifest = Manifest::read(directory)?;
        let linkage = attacking.linkage.as_ref();
        let mut release = read_release(directory, manifest.as_ref(), linkage, progress)?;
        refuse_without_records(&release, directory)?;
        let mut notes = vec![
            "the clues were drawn from the release, in its own words: an attacker who knows the original events may \
             find more or fewer people; give the data and the `release` to see"
                .to_owned(),
        ];
        // Knowledge is drawn from one dataset more, in which it is not looked for.
        let mut drawn = possible(&mut release, worlds + 1, attacking.seed, &mut notes, progress)?;
        drawn.drain(..drawn.len().min(1));
        if drawn.is_empty() {
            notes.extend(doubts(&release, manifest.as_ref(), linkage.is_some()));
        }
        let mut items = files.source(Input::SensitiveItems).map(read_names).transpose()?.unwrap_or_default();
        let mut values = sensitive_values(&files.sensitive_values)?;
        if let Some(manifest) = manifest.filter(|_| items.is_empty() && values.is_empty()) {
            (items, values) = (manifest.promise.sensitive_items, manifest.promise.sensitive_values);
        }
        items.retain(|name| release.base.find(name).is_some());
        let sensitive: Vec<ItemId> = items.iter().filter_map(|name| release.base.find(name)).collect();
        let wishes = Wishes::new(items, &values, release.attributes(), release.people());
        let given_away = Secrets::given_away(&release, &sensitive);
        let released = wishes.published(&release, &given_away, &mut notes);
        let worlds = with_secrets(drawn, |world| wishes.published(world, &given_away, &mut Vec::new()));
        let secret = |item: &ItemId| given_away[*item as usize].is_some();
        let hidden = (0..release.alphabet.len() as ItemId).filter(secret).collect();
        Ok(Stage { cast: Cast::Release(release), hidden, truth: released.clone(), released, worlds, notes })
    }

    /// What knowledge is drawn from.
    pub fn known_events(&self) -> &Events {
        match &self.cast {
            Cast::Data(loaded, _) => &loaded.data.events,
            Cast::Release(release) => release.events(),
        }
    }

    /// Names by which a user may speak of events.
    pub fn items(&self) -> &Dictionary {
        match &self.cast {
            Cast::Data(loaded, _) => &loaded.data.items,
            Cast::Release(release) => &release.base,
        }
    }

    /// The release, if there is one.
    pub fn release(&self) -> Option<&Release> {
        match &self.cast {
            Cast::Data(_, release) => release.as_ref().map(|(release, _)| release),
            Cast::Release(release) => Some(release),
        }
    }

    /// The data as they are, if there are any.
    pub fn before(&self) -> Option<Scene<'_>> {
        match &self.cast {
            Cast::Data(loaded, _) => {
                Some(self.dress(Scene::original(&loaded.data.events), self.truth.as_ref()))
            }
            Cast::Release(_) => None,
        }
    }

    /// The release, as seen by an attacker who knows the data; if there are none, the release itself.
    pub fn after(&self) -> Option<Scene<'_>> {
        let scene = match &self.cast {
            Cast::Data(loaded, Some((release, own))) => {
                Scene::release(&loaded.data.events, release, own.clone())
            }
            Cast::Data(_, None) => return None,
            Cast::Release(release) => Scene::released(release),
        };
        Some(self.dress(scene, self.released.as_ref()))
    }

    /// The possible datasets of records that were taken apart, as seen by an attacker who knows the data; none of other releases.
    pub fn worlds(&self) -> Vec<Scene<'_>> {
        let mut scenes = Vec::with_capacity(self.worlds.len());
        for World { release, released } in &self.worlds {
            let scene = match &self.cast {
                Cast::Data(loaded, _) => Scene::release(&loaded.data.events, release, Own::Whole),
                Cast::Release(known) => Scene::possible(known, release),
            };
            scenes.push(self.dress(scene, released.as_ref()));
        }
        scenes
    }

    /// The table as it is, if there is one.
    pub fn table_before(&self) -> Option<TableScene> {
        match &self.cast {
            Cast::Data(loaded, _) => {
                let table = loaded.data.attributes.as_ref()?;
                Some(TableScene::original(table, loaded.data.events.subjects()))
            }
            Cast::Release(_) => None,
        }
    }

    /// The released table, as seen by an attacker who knows the original one; if there is none, the release itself.
    pub fn table_after(&self) -> Option<TableScene> {
        match &self.cast {
            Cast::Data(loaded, Some((release, own))) => {
                let (table, hierarchies) = (loaded.data.attributes.as_ref()?, &loaded.inputs.hierarchies);
                let people = loaded.data.events.subjects();
                Some(TableScene::release(table, release.table()?, people, hierarchies, own.clone()))
            }
            Cast::Data(_, None) => None,
            Cast::Release(release) => Some(TableScene::released(release.table()?)),
        }
    }

    /// The rows of the table as they are, if there is one.
    pub fn shown_before(&self) -> Option<RecodedTable> {
        match &self.cast {
            Cast::Data(loaded, _) => loaded.data.attributes.as_ref().map(RecodedTable::identity),
            Cast::Release(_) => None,
        }
    }

    /// The released rows, if there are any.
    pub fn shown_after(&self) -> Option<&RecodedTable> {
        self.release().and_then(|release| release.table())
    }

    /// The release, as seen by an attacker who names original items.
    pub fn asked(&self) -> Option<Scene<'_>> {
        match &self.cast {
            Cast::Data(..) => self.after(),
            Cast::Release(release) => {
                let scene = Scene::release(release.events(), release, Own::Unknown);
                Some(self.dress(scene, self.released.as_ref()))
            }
        }
    }

    fn dress<'a>(&self, scene: Scene<'a>, published: Option<&Secrets>) -> Scene<'a> {
        let scene = if self.hidden.is_empty() { scene } else { scene.hiding(&self.hidden) };
        match (&self.truth, published) {
            (Some(truth), Some(published)) => scene.with_secrets(truth.clone(), published.clone()),
            _ => scene,
        }
    }
}

/// Attackers look for people among records. Where there are none, an attack that finds no one would say nothing.
fn refuse_without_records(release: &Release, directory: &Path) -> Result<(), Failure> {
    if release.body.counts().is_none() {
        return Ok(());
    }
    let message = format!("`{}` has counts of people, and no records to attack", directory.display());
    Err(Failure::new(Class::Usage, message).with_help(
        "{throng verify} judges that every count is of enough people, and that no other can be worked out",
    ))
}

/// Numbers what released items stand for as the data do. What is not in the data can be known of no person.
fn name_as(release: &mut Release, items: &Arc<Dictionary>, directory: &Path) -> Result<(), Failure> {
    let image: Vec<Option<ItemId>> = release.base.names().map(|name| items.find(name)).collect();
    if !image.is_empty() && image.iter().all(Option::is_none) {
        let message = format!("`{}` has no item of the data", directory.display());
        return Err(Failure::new(Class::BadInput, message)
            .with_help("give the data that the release was made from, and read them in the same way"));
    }
    for item in &mut release.alphabet {
        let members = item.members.iter().filter_map(|member| image[*member as usize]).collect();
        let label = item.label.take();
        *item = GeneralisedItem { label, ..GeneralisedItem::of(members) };
    }
    release.base = Arc::clone(items);
    Ok(())
}

/// Possible datasets of records that were taken apart, the first of which takes the place of the release; none of other releases.
fn possible(
    release: &mut Release,
    worlds: u64,
    seed: u64,
    notes: &mut Vec<String>,
    progress: &Progress,
) -> Result<Vec<Release>, Failure> {
    let Some(chunks) = release.body.chunks() else { return Ok(Vec::new()) };
    let links = links(chunks);
    let mut drawn = Vec::new();
    for draw in 0..worlds {
        progress.check()?;
        drawn.push(reconstruct(release, chunks, seed.wrapping_add(draw)));
    }
    notes.push(format!(
        "the records were taken apart, and none is anybody's: attackers put the chunks together at random, {worlds} times, and a crowd is how \
         many people then have what is known, on average over the datasets in which at least one person has it; a person who stands alone there is not \
         found by it, since what else they have there is chance"
    ));
    notes.push(format!(
        "across the record chunks of a cluster an item follows from another by up to {:.0}%, whatever the dataset; by more than one half \
         from {} of {} items of clusters",
        100.0 * links.surest,
        links.linked,
        links.items
    ));
    if let Some(first) = drawn.first() {
        *release = first.clone();
    }
    Ok(drawn)
}

/// Each dataset with the secrets that it shows.
fn with_secrets(drawn: Vec<Release>, mut secrets: impl FnMut(&Release) -> Option<Secrets>) -> Vec<World> {
    let world = |release: Release| World { released: secrets(&release), release };
    drawn.into_iter().map(world).collect()
}

/// The published person of each person of the data. A linkage reads like a file of events; its people are numbered as
/// [`read_release`] numbers them.
fn linked(subjects: &Dictionary, linkage: &Source, progress: &Progress) -> Result<Own, Failure> {
    let published = people_of(linkage, progress)?;
    let people: Vec<Option<u32>> = subjects.names().map(|name| published.find(name)).collect();
    if people.iter().all(Option::is_none) {
        let message = format!("`{}` links no person of the data", linkage.name());
        return Err(Failure::new(Class::BadInput, message)
            .with_help("give the file that {linkage} wrote together with this release"));
    }
    Ok(Own::Linked(people))
}
