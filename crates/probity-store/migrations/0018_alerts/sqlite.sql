-- How far whoever tells people of news has looked: in the ledger, among topics, among saved questions.

CREATE TABLE alert_places (
    name TEXT PRIMARY KEY NOT NULL,
    place INTEGER NOT NULL
) STRICT;
