//! What the tests stand on: a fake web, scripted models, a private PostgreSQL.
