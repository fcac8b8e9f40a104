-- Adding a large folder wrote the same terms again and again: more of them are gathered before they are written, and
-- more pieces of the index lie side by side before they are merged.
INSERT INTO library_terms (library_terms, rank) VALUES ('hashsize', 8388608);
INSERT INTO library_terms (library_terms, rank) VALUES ('automerge', 8);
