//! The codebook: every version of every code, of which the last is in force.

use probity_core::Timestamp;
use probity_credibility::ledger::{Code, CodeName, Codebook, CodebookError, Name, Note, Weight};
use serde::Serialize;

use super::{LedgerError, append};
use crate::sql::{ColumnError, Row, sql};
use crate::tx::Tx;
use crate::{Store, StoreError};

/// One version of a code, with who made it and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodeRevision {
    /// The code as of this version.
    #[serde(flatten)]
    pub code: Code,
    /// Who made it.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

impl Store {
    /// The codes in force, retired ones too.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn codebook(&self) -> Result<Codebook, StoreError> {
        read(&mut self.read().await?).await
    }

    /// Every version of every code, by name and age.
    ///
    /// # Errors
    /// When the store fails, or a stored value cannot be read.
    pub async fn code_revisions(&self) -> Result<Vec<CodeRevision>, StoreError> {
        revisions(&mut self.read().await?).await
    }

    /// Adds a code, or gives an existing one another weight or description from now on. Events that
    /// used it keep the weight they used.
    ///
    /// # Errors
    /// When nothing would change, or the store fails.
    pub async fn define_code(
        &self,
        name: &CodeName,
        weight: Weight,
        description: &Note,
        by: &Name,
    ) -> Result<CodeRevision, LedgerError> {
        let mut tx = self.write().await?;
        append::lock(&mut tx).await?;
        let codebook = read(&mut tx).await?;
        let current = codebook.get(name);
        let same = |code: &Code| {
            !code.retired && code.weight == weight && code.description == description.as_str()
        };
        if current.is_some_and(same) {
            return Err(CodebookError::Unchanged(name.clone()).into());
        }
        let code = Code {
            name: name.clone(),
            weight,
            description: description.as_str().to_owned(),
            retired: false,
            revision: current.map_or(1, |code| code.revision + 1),
        };
        self.add_revision(tx, code, by).await
    }

    /// Takes a code out of use. It stays in the history and can be defined again.
    ///
    /// # Errors
    /// When there is no such code in use, or the store fails.
    pub async fn retire_code(
        &self,
        name: &CodeName,
        by: &Name,
    ) -> Result<CodeRevision, LedgerError> {
        let mut tx = self.write().await?;
        append::lock(&mut tx).await?;
        let code = read(&mut tx).await?.usable(name)?.clone();
        let code = Code { retired: true, revision: code.revision + 1, ..code };
        self.add_revision(tx, code, by).await
    }

    async fn add_revision(
        &self,
        mut tx: Tx,
        code: Code,
        by: &Name,
    ) -> Result<CodeRevision, LedgerError> {
        let at = self.clock().now();
        let query = sql("INSERT INTO codes
                             (name, revision, weight, description, retired, editor, changed_at)
                         VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(code.name.as_str())
        .bind(code.revision)
        .bind(i64::from(code.weight.get()))
        .bind(&code.description)
        .bind(i64::from(code.retired))
        .bind(by.as_str())
        .bind(at.0);
        tx.execute(query).await?;
        tx.commit().await?;
        Ok(CodeRevision { code, by: by.as_str().to_owned(), at })
    }
}

pub(super) async fn read(tx: &mut Tx) -> Result<Codebook, StoreError> {
    let revisions = revisions(tx).await?;
    Ok(Codebook::new(revisions.into_iter().map(|revision| revision.code)))
}

/// A codebook is written by people, one code at a time: all of it fits in memory.
pub(super) async fn revisions(tx: &mut Tx) -> Result<Vec<CodeRevision>, StoreError> {
    let query = sql("SELECT name, revision, weight, description, retired, editor, changed_at
                     FROM codes ORDER BY name, revision");
    let rows = tx.all(query).await?;
    rows.iter().map(|row| read_row(row).map_err(|error| tx.unreadable(&error))).collect()
}

fn read_row(row: &Row) -> Result<CodeRevision, ColumnError> {
    let name: String = row.get("name")?;
    let weight: i64 = row.get("weight")?;
    Ok(CodeRevision {
        code: Code {
            name: CodeName::new(&name)
                .map_err(|error| ColumnError::new("codes.name", error.to_string()))?,
            weight: Weight::new(weight)
                .map_err(|error| ColumnError::new("codes.weight", error.to_string()))?,
            description: row.get("description")?,
            retired: row.get::<i64>("retired")? != 0,
            revision: row.get("revision")?,
        },
        by: row.get("editor")?,
        at: Timestamp(row.get("changed_at")?),
    })
}
