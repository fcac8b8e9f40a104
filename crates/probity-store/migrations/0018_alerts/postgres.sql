-- How far whoever tells people of news has looked: in the ledger, among topics, among saved questions.

CREATE TABLE alert_places (
    name TEXT PRIMARY KEY,
    place BIGINT NOT NULL
);
