-- What each reader has read and starred among the articles.

CREATE TABLE article_marks (
    -- Whose marks they are: a user's name, or a token's owner.
    reader TEXT NOT NULL,
    article_id BIGINT NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
    read_at BIGINT,
    starred_at BIGINT,
    PRIMARY KEY (reader, article_id)
);

CREATE INDEX article_marks_article ON article_marks (article_id);
CREATE INDEX article_marks_starred ON article_marks (reader) WHERE starred_at IS NOT NULL;
