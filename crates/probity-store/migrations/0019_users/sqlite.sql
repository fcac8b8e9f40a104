-- A user who may not log in for now.

ALTER TABLE users ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;
