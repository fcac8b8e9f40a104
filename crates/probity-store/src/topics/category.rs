//! Categories: what readers want to know about, in words.

use probity_core::{CategoryId, Timestamp};
use serde::Serialize;

use super::{CATEGORIES_MOST, FIELD_CHARS, NAME_CHARS, TEXTS_MOST};
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// A category as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Category {
    /// Its number.
    pub id: CategoryId,
    /// What it is called.
    pub name: String,
    /// What belongs to it.
    pub description: String,
    /// Headlines that belong to it.
    pub examples: Vec<String>,
    /// Words that point to it.
    pub keywords: Vec<String>,
    /// Whether its articles are wanted in full.
    pub wants_full_text: bool,
    /// Counts on when its words change.
    pub revision: i64,
    /// When it was added.
    pub added_at: Timestamp,
    /// When it last changed.
    pub changed_at: Timestamp,
}

/// A category to be added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewCategory {
    /// What it is called.
    pub name: String,
    /// What belongs to it.
    pub description: String,
    /// Headlines that belong to it.
    pub examples: Vec<String>,
    /// Words that point to it.
    pub keywords: Vec<String>,
    /// Whether its articles are wanted in full.
    pub wants_full_text: bool,
}

/// What to change about a category; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CategoryChange {
    /// Another name.
    pub name: Option<String>,
    /// Another description.
    pub description: Option<String>,
    /// Other examples.
    pub examples: Option<Vec<String>>,
    /// Other keywords.
    pub keywords: Option<Vec<String>>,
    /// Whether its articles are wanted in full.
    pub wants_full_text: Option<bool>,
}

/// A category that could not be added or changed.
#[derive(Debug, thiserror::Error)]
pub enum CategoryError {
    /// There is one of that name.
    #[error("there is a category `{0}` already; change it with `probity news categories edit`")]
    Exists(String),
    /// There is none of that name.
    #[error("there is no category `{0}`; `probity news categories list` shows the existing ones")]
    Unknown(String),
    /// Names are short and without control characters.
    #[error(
        "`{0}` is no name for a category: 1 to 60 letters, digits, spaces, `-`, `_`, `&` or `/`"
    )]
    Name(String),
    /// A category needs words to be judged by.
    #[error("a category needs a description, so that articles can be judged by it")]
    Wordless,
    /// There are too many.
    #[error("there are {CATEGORIES_MOST} categories already; remove one first")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

const COLUMNS: &str = "SELECT id, name, description, examples, keywords, wants_full_text, revision,
                              added_at, changed_at
                       FROM categories WHERE retired_at IS NULL ORDER BY name";

impl Store {
    /// Every category, by name.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn categories(&self) -> Result<Vec<Category>, StoreError> {
        list(&mut self.read().await?).await
    }

    /// One category by name, whatever its letters' case.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn category(&self, name: &str) -> Result<Category, CategoryError> {
        find(&mut self.read().await?, name).await
    }

    /// Adds a category.
    ///
    /// # Errors
    /// When there is one of that name, it has no words, or the store fails.
    pub async fn add_category(&self, new: &NewCategory) -> Result<Category, CategoryError> {
        let name = checked_name(&new.name)?;
        if new.description.trim().is_empty() {
            return Err(CategoryError::Wordless);
        }
        let mut tx = self.write().await?;
        let known = list(&mut tx).await?;
        if known.iter().any(|one| one.name.to_lowercase() == name.to_lowercase()) {
            return Err(CategoryError::Exists(name));
        }
        if i64::try_from(known.len()).unwrap_or(i64::MAX) >= CATEGORIES_MOST {
            return Err(CategoryError::TooMany);
        }
        let (examples, keywords) = (texts(&new.examples), texts(&new.keywords));
        let now = self.clock().now().0;
        let query = sql("INSERT INTO categories (name, description, examples, keywords,
                             wants_full_text, added_at, changed_at)
                         VALUES ($1, $2, $3, $4, $5, $6, $6)
                         ON CONFLICT (name) DO NOTHING");
        let query = query.bind(&name).bind(cut(&new.description)).bind(&examples).bind(&keywords);
        let added = tx.execute(query.bind(i64::from(new.wants_full_text)).bind(now)).await?;
        if added == 0 {
            return Err(CategoryError::Exists(name));
        }
        let category = find(&mut tx, &name).await?;
        tx.commit().await?;
        Ok(category)
    }

    /// Changes a category. If its words change, its articles are judged again.
    ///
    /// # Errors
    /// When there is none of that name, the new name is taken, or the store fails.
    pub async fn edit_category(
        &self,
        name: &str,
        change: &CategoryChange,
    ) -> Result<Category, CategoryError> {
        let mut tx = self.write().await?;
        let mut category = find(&mut tx, name).await?;
        let before = category.clone();
        if let Some(name) = &change.name {
            category.name = checked_name(name)?;
            let others = list(&mut tx).await?;
            let taken = |one: &Category| {
                one.id != category.id && one.name.to_lowercase() == category.name.to_lowercase()
            };
            if others.iter().any(taken) {
                return Err(CategoryError::Exists(category.name));
            }
        }
        change.description.clone_into_some(&mut category.description);
        change.examples.clone_into_some(&mut category.examples);
        change.keywords.clone_into_some(&mut category.keywords);
        change.wants_full_text.clone_into_some(&mut category.wants_full_text);
        if category.description.trim().is_empty() {
            return Err(CategoryError::Wordless);
        }
        let words =
            |one: &Category| (one.description.clone(), one.examples.clone(), one.keywords.clone());
        category.revision += i64::from(words(&category) != words(&before));
        let (examples, keywords) = (texts(&category.examples), texts(&category.keywords));
        let query = sql("UPDATE categories SET name = $2, description = $3, examples = $4,
                             keywords = $5, wants_full_text = $6, revision = $7, changed_at = $8
                         WHERE id = $1");
        let query = query.bind(category.id).bind(&category.name).bind(cut(&category.description));
        let query = query.bind(&examples).bind(&keywords).bind(i64::from(category.wants_full_text));
        tx.execute(query.bind(category.revision).bind(self.clock().now().0)).await?;
        let category = find(&mut tx, &category.name).await?;
        tx.commit().await?;
        Ok(category)
    }

    /// Removes a category, with what was judged and decided for it.
    ///
    /// # Errors
    /// When there is none of that name, or the store fails.
    pub async fn remove_category(&self, name: &str) -> Result<Category, CategoryError> {
        let mut tx = self.write().await?;
        let category = find(&mut tx, name).await?;
        tx.execute(sql("DELETE FROM categories WHERE id = $1").bind(category.id)).await?;
        tx.commit().await?;
        Ok(category)
    }
}

trait CloneIntoSome<T> {
    fn clone_into_some(&self, place: &mut T);
}

impl<T: Clone> CloneIntoSome<T> for Option<T> {
    fn clone_into_some(&self, place: &mut T) {
        if let Some(value) = self {
            place.clone_from(value);
        }
    }
}

async fn list(tx: &mut Tx) -> Result<Vec<Category>, StoreError> {
    let rows = tx.all(sql(COLUMNS)).await?;
    rows.iter().map(read).collect::<Result<_, _>>().map_err(|error| tx.unreadable(&error))
}

async fn find(tx: &mut Tx, name: &str) -> Result<Category, CategoryError> {
    let wanted = name.trim().to_lowercase();
    let found = list(tx).await?.into_iter().find(|one| one.name.to_lowercase() == wanted);
    found.ok_or_else(|| CategoryError::Unknown(name.trim().to_owned()))
}

fn read(row: &Row) -> Result<Category, ColumnError> {
    Ok(Category {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        examples: list_of(row, "examples")?,
        keywords: list_of(row, "keywords")?,
        wants_full_text: row.get::<i64>("wants_full_text")? != 0,
        revision: row.get("revision")?,
        added_at: Timestamp(row.get("added_at")?),
        changed_at: Timestamp(row.get("changed_at")?),
    })
}

fn list_of(row: &Row, column: &'static str) -> Result<Vec<String>, ColumnError> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| ColumnError::new(column, error.to_string()))
}

fn texts(list: &[String]) -> String {
    let kept: Vec<&str> = list
        .iter()
        .map(|text| cut(text).trim())
        .filter(|text| !text.is_empty())
        .take(TEXTS_MOST)
        .collect();
    serde_json::to_string(&kept).unwrap_or_else(|_| "[]".to_owned())
}

fn cut(text: &str) -> &str {
    match text.char_indices().nth(FIELD_CHARS) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

fn checked_name(name: &str) -> Result<String, CategoryError> {
    let name = name.trim();
    let fits = (1..=NAME_CHARS).contains(&name.chars().count());
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '&' | '/');
    if fits && name.chars().all(plain) {
        Ok(name.to_owned())
    } else {
        Err(CategoryError::Name(name.to_owned()))
    }
}
