-- The log: every change is a leaf of the hash tree of RFC 6962, and the head of the tree is signed in the transaction
-- of the change. The key is in a file beside the archive. `formats/ARCHIVE.md` describes the leaves.
CREATE TABLE log (
    number     INTEGER PRIMARY KEY CHECK (number = 1),
    origin     TEXT NOT NULL,               -- the name of the log
    key        TEXT NOT NULL,               -- the public key: NAME+ID+KEY
    size       INTEGER NOT NULL,            -- leaves
    peaks      BLOB NOT NULL,               -- the roots of the largest complete subtrees, from left to right
    checkpoint TEXT NOT NULL                -- the signed head
) STRICT;

-- The leaves, byte for byte, numbered from 0.
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    leaf   BLOB NOT NULL
) STRICT;

-- Inner nodes of the tree whose level is a multiple of 8, so that proofs need few leaves.
CREATE TABLE node (
    level  INTEGER NOT NULL,
    number INTEGER NOT NULL,
    hash   BLOB NOT NULL,
    PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;

-- The salts of an event's commitments. Without its salt a commitment reveals nothing.
CREATE TABLE salt (
    event INTEGER PRIMARY KEY,
    salt  BLOB NOT NULL
) STRICT;

-- Entries whose names and texts were deleted, with the event that says so.
CREATE TABLE forgotten (
    game  INTEGER PRIMARY KEY REFERENCES game,
    event INTEGER NOT NULL
) STRICT;

ALTER TABLE name ADD COLUMN salt BLOB;
-- The event that added the row.
ALTER TABLE submission ADD COLUMN event INTEGER;
ALTER TABLE withdrawal ADD COLUMN event INTEGER;
-- The last event about the token.
ALTER TABLE token ADD COLUMN event INTEGER;
ALTER TABLE token ADD COLUMN holder TEXT NOT NULL DEFAULT '';
ALTER TABLE token ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read,submit';
ALTER TABLE token ADD COLUMN expires INTEGER;

CREATE TRIGGER log_is_kept BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is never deleted'); END;
CREATE TRIGGER events_stay BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER nodes_stay BEFORE UPDATE ON node BEGIN SELECT RAISE(ABORT, 'nodes are never changed'); END;
CREATE TRIGGER nodes_are_kept BEFORE DELETE ON node BEGIN SELECT RAISE(ABORT, 'nodes are never deleted'); END;

-- Rows of an entry change only when it is forgotten.
DROP TRIGGER names_stay;
CREATE TRIGGER names_stay BEFORE UPDATE OF number, text, folded, seal ON name
WHEN NOT (new.number = old.number AND new.text = '(forgotten name ' || old.number || ')' AND new.folded = ''
    AND new.salt IS NULL)
BEGIN
    SELECT RAISE(ABORT, 'names are never changed');
END;
DROP TRIGGER games_stay;
CREATE TRIGGER games_stay BEFORE UPDATE ON game
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.number)
BEGIN
    SELECT RAISE(ABORT, 'games are never changed');
END;
DROP TRIGGER submissions_stay;
CREATE TRIGGER submissions_stay
BEFORE UPDATE OF number, game, text_key, digest, text, report, variant, style, stood, received, seal, token
ON submission
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.game)
BEGIN
    SELECT RAISE(ABORT, 'submissions are never changed');
END;
DROP TRIGGER withdrawals_stay;
CREATE TRIGGER withdrawals_stay BEFORE UPDATE OF number, game, successor, because, token, withdrawn, seal ON withdrawal
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.game)
BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never changed');
END;
