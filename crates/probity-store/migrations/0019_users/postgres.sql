-- A user who may not log in for now.

ALTER TABLE users ADD COLUMN disabled BIGINT NOT NULL DEFAULT 0;
