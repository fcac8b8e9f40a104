//! Work that never ends: after each turn the job goes back into the queue, due again later.

use std::time::Duration;

use super::{Fence, millis};
use crate::sql::sql;
use crate::tx::Tx;
use crate::{Store, StoreError};

impl Store {
    /// Ends a lease and puts the job back, due after so long. What failed before is forgotten.
    /// Gives `false` if the lease was lost.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reschedule(&self, fence: &Fence, after: Duration) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let put_back = self.put_back(&mut tx, fence, after).await?;
        tx.commit().await?;
        Ok(put_back)
    }

    /// As [`Store::reschedule`], as part of a transaction that writes what the turn brought.
    pub(crate) async fn put_back(
        &self,
        tx: &mut Tx,
        fence: &Fence,
        after: Duration,
    ) -> Result<bool, StoreError> {
        let now = self.reckon(tx).await?;
        let query = sql("UPDATE jobs SET state = 'queued', lease_until = NULL, error = NULL,
                                failures = 0, due_at = $5, touched_at = $4
                         WHERE id = $1 AND worker = $2 AND attempt = $3 AND state = 'leased'
                           AND lease_until > $4");
        let query = query.bind(&fence.job).bind(&fence.worker).bind(fence.attempt).bind(now);
        let rows = tx.execute(query.bind(now.saturating_add(millis(after)))).await?;
        Ok(rows == 1)
    }
}
