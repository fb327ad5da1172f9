-- Entries that were withdrawn: lists hide them, and they stay, with the reason.
CREATE TABLE withdrawal (
    number    INTEGER PRIMARY KEY,
    game      INTEGER NOT NULL UNIQUE REFERENCES game,
    successor INTEGER REFERENCES game,      -- the entry that supersedes it; NULL if there is none
    because   TEXT NOT NULL,
    token     TEXT,                         -- the name of the token that asked for it; NULL where none is needed
    withdrawn INTEGER NOT NULL,             -- milliseconds since 1970
    seal      BLOB NOT NULL
) STRICT;

CREATE TRIGGER withdrawals_stay BEFORE UPDATE ON withdrawal BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never changed');
END;
CREATE TRIGGER withdrawals_are_kept BEFORE DELETE ON withdrawal BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never deleted');
END;

-- The number of the last row of `withdrawal`.
ALTER TABLE head ADD COLUMN withdrawal INTEGER NOT NULL DEFAULT 0;
