-- How much the archive has, so that rows that were taken away are missed: the number of the last row of each table,
-- where rows are numbered from 1 without gaps, and how many tokens there are. Each transaction that adds rows writes
-- it. Rows up to those numbered `old_…` are of the versions before: their seals do not cover their numbers, and
-- `old_rows` does that for all of them.
CREATE TABLE head (
    number         INTEGER PRIMARY KEY CHECK (number = 1),
    rules          INTEGER NOT NULL,
    name           INTEGER NOT NULL,
    play           INTEGER NOT NULL,
    game           INTEGER NOT NULL,
    submission     INTEGER NOT NULL,
    tokens         INTEGER NOT NULL,        -- good and revoked
    revoked        INTEGER NOT NULL,
    old_rules      INTEGER NOT NULL,
    old_name       INTEGER NOT NULL,
    old_game       INTEGER NOT NULL,
    old_submission INTEGER NOT NULL,
    old_rows       BLOB NOT NULL,           -- 32 bytes: BLAKE3 of the numbers and seals of the old rows
    seal           BLOB NOT NULL
) STRICT;

CREATE TRIGGER head_is_kept BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'the head is never deleted'); END;

-- The name of the token that a text was submitted with; NULL for an import, and where no token is needed.
ALTER TABLE submission ADD COLUMN token TEXT;

ALTER TABLE token ADD COLUMN seal BLOB;
CREATE TRIGGER tokens_are_kept BEFORE DELETE ON token BEGIN SELECT RAISE(ABORT, 'tokens are never deleted'); END;
