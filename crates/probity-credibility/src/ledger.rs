//! How an outlet's score learns: coding → weights → EMA → ledger event.
