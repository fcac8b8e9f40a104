//! Takes what pages repeat in order to check it out of their texts, before anything works on them.

use probity_report::check::disown;
use probity_web::fetch::Page;

use crate::driver::Run;
use crate::journal::JournalError;

/// Disowns what pages only repeat. What the reader makes of their sentences is a step of the journal.
pub(super) async fn disown(run: &Run<'_>, pages: &mut [Page]) -> Result<(), JournalError> {
    for document in pages.iter_mut().filter_map(|page| page.document.as_mut()) {
        let readings = run.read_pairs(disown::wanted(document)).await?;
        disown::disown(document, &readings);
    }
    Ok(())
}
