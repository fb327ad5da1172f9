-- An archive of games. The log says what happened; the other tables are projections of its events, beside the texts and
-- names whose commitments are in them. Rows are added and never changed or deleted, except that a token is revoked and a
-- game forgotten: triggers refuse everything else. The file says of itself what it is: 0x6665727A is `ferz`.
PRAGMA application_id = 0x6665727A;

-- The log: every change is a leaf of the hash tree of RFC 6962, and the head of the tree is signed in the transaction
-- of the change. The key is in a file beside the archive. `formats/ARCHIVE.md` describes the leaves.
CREATE TABLE log (
    number     INTEGER PRIMARY KEY CHECK (number = 1),
    origin     TEXT NOT NULL,               -- the name of the log
    key        TEXT NOT NULL,               -- the public key: NAME+ID+KEY
    size       INTEGER NOT NULL,            -- leaves
    time       INTEGER NOT NULL,            -- of the last event, in milliseconds since 1970
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
    salt  BLOB NOT NULL                     -- 16 bytes
) STRICT;

-- The rules that games were judged by, whole, so that an old game can be looked at under its own rules.
CREATE TABLE rules (
    number     INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,               -- mutators in front: chaos+ichess
    edition    TEXT NOT NULL,
    digest     TEXT NOT NULL,               -- of what the definition says about play: 32 hexadecimal digits
    whole      TEXT NOT NULL,               -- of the whole definition, words included: its SHA-256, 64 digits
    definition TEXT NOT NULL,               -- the merged definition: a definition file that needs no other one
    event      INTEGER NOT NULL,            -- that stored it
    UNIQUE (digest, whole, name, edition)
) STRICT;

-- The register of rules: each step on the way of a definition to V-Class. Of one definition the last step holds.
CREATE TABLE register (
    number   INTEGER PRIMARY KEY,
    rules    INTEGER NOT NULL REFERENCES rules,
    step     TEXT NOT NULL,                 -- submitted, reviewed, returned, codified
    class    TEXT,                          -- of codified rules: V, AV
    because  TEXT NOT NULL,
    token    TEXT,                          -- the name of the token that asked for it; NULL where none is needed
    by       INTEGER,                       -- the event that created this token
    happened INTEGER NOT NULL,              -- milliseconds since 1970
    event    INTEGER NOT NULL
) STRICT;

CREATE INDEX register_by_rules ON register (rules);

-- Names of players, events and sites, each once. `folded` is what searches look at.
CREATE TABLE name (
    number INTEGER PRIMARY KEY,
    text   TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL
) STRICT;

-- What happened on the board: rules, start, plies. Games with the same play are related.
CREATE TABLE play (
    number   INTEGER PRIMARY KEY,
    key      BLOB NOT NULL UNIQUE,          -- 16 bytes made from all that follows; not of a forgotten record's text
    rules    INTEGER REFERENCES rules,      -- NULL if the game could not be judged
    start    TEXT NOT NULL,                 -- extended FEN; empty if the game could not be judged
    moves    TEXT NOT NULL,                 -- the legal plies in coordinate notation, with blanks between
    text_key BLOB                           -- of a record that is not legal: which text it is; empty once forgotten
) STRICT;

-- Entries: who did it, when and where. In the order in which they came.
CREATE TABLE game (
    number  INTEGER PRIMARY KEY,
    id      BLOB NOT NULL UNIQUE,           -- 16 bytes made from the key and the salt
    key     BLOB UNIQUE,                    -- 16 bytes made from the play's key and the tags; NULL once forgotten
    salt    BLOB,                           -- 16 random bytes; NULL once forgotten
    play    INTEGER NOT NULL REFERENCES play,
    rules   INTEGER REFERENCES rules,       -- that its first text was judged by; NULL if it could not be judged
    variant TEXT NOT NULL,
    white   INTEGER NOT NULL REFERENCES name,
    black   INTEGER NOT NULL REFERENCES name,
    nature  INTEGER REFERENCES name,        -- the third player
    event   INTEGER NOT NULL REFERENCES name,
    site    INTEGER NOT NULL REFERENCES name,
    date    TEXT NOT NULL,                  -- as the record has it
    day     INTEGER,                        -- 19840500 for May of 1984; NULL if not even the year is known
    round   TEXT NOT NULL,
    result  TEXT NOT NULL,                  -- 1-0, 0-1, 1/2-1/2, *
    valid   INTEGER NOT NULL,               -- 1 if the whole main line is legal
    plies   INTEGER NOT NULL,               -- legal plies
    ending  TEXT,                           -- checkmate, stalemate, …; NULL if play could go on
    added   INTEGER NOT NULL                -- milliseconds since 1970
) STRICT;

CREATE INDEX game_by_play ON game (play);
CREATE INDEX game_by_variant ON game (variant);
CREATE INDEX game_by_pairing ON game (white, black, event, round, plies);
CREATE INDEX game_by_black ON game (black);
CREATE INDEX game_by_nature ON game (nature) WHERE nature IS NOT NULL;
CREATE INDEX game_by_event ON game (event);
CREATE INDEX game_by_day ON game (day);
CREATE INDEX game_not_valid ON game (number) WHERE valid = 0;

-- Every different text that came for an entry, byte for byte, in the order in which they came, numbered without gaps.
CREATE TABLE submission (
    number    INTEGER PRIMARY KEY,
    game      INTEGER NOT NULL REFERENCES game,
    rules     INTEGER REFERENCES rules,     -- that it was judged by; NULL if it could not be judged
    text_key  BLOB NOT NULL,                -- 16 bytes: BLAKE3 of the text without white space around it
    digest    BLOB NOT NULL,                -- 32 bytes: SHA-256 of the text
    text      BLOB NOT NULL,                -- as it came; packed with zstd
    report    BLOB NOT NULL,                -- the report on it as JSON; packed with zstd
    variant   TEXT,                         -- the game that was asked for, whatever the text says
    style     TEXT,                         -- the only style that was accepted
    let_stand INTEGER NOT NULL,             -- 1 if illegal plies were to stand
    received  INTEGER NOT NULL,             -- milliseconds since 1970
    token     TEXT,                         -- the name of the token it came with; NULL for an import, and without tokens
    by        INTEGER,                      -- the event that created this token: its name may be given again
    event     INTEGER NOT NULL,             -- that says so
    UNIQUE (game, text_key)
) STRICT;

-- Withdrawals of entries, or of the texts that one token submitted.
CREATE TABLE withdrawal (
    number     INTEGER PRIMARY KEY,
    game       INTEGER NOT NULL REFERENCES game,
    own        INTEGER NOT NULL,            -- 1 if only the texts of the token are withdrawn that came before
    successor  INTEGER REFERENCES game,     -- the entry that supersedes it; NULL if there is none
    because    TEXT NOT NULL,
    token      TEXT,                        -- the name of the token that asked for it; NULL where none is needed
    by         INTEGER,                     -- the event that created this token
    withdrawn  INTEGER NOT NULL,            -- milliseconds since 1970
    reinstated INTEGER,                     -- the event that took it back; NULL while it holds
    event      INTEGER NOT NULL
) STRICT;

CREATE INDEX withdrawal_by_game ON withdrawal (game);

-- Events that took withdrawals back.
CREATE TABLE reinstatement (
    number     INTEGER PRIMARY KEY,
    game       INTEGER NOT NULL REFERENCES game,
    because    TEXT NOT NULL,
    token      TEXT,
    by         INTEGER,
    reinstated INTEGER NOT NULL,            -- milliseconds since 1970
    event      INTEGER NOT NULL
) STRICT;

CREATE INDEX reinstatement_by_game ON reinstatement (game);

-- Entries that lists hide, with the latest withdrawal that holds: they are withdrawn as a whole, or all their texts are.
CREATE TABLE hidden (
    game       INTEGER PRIMARY KEY REFERENCES game,
    withdrawal INTEGER NOT NULL REFERENCES withdrawal
) STRICT;

-- Entries whose names and texts were deleted, with the event that says so.
CREATE TABLE forgotten (
    game  INTEGER PRIMARY KEY REFERENCES game,
    event INTEGER NOT NULL
) STRICT;

-- By which those who have the signing key know a forgotten entry again, so that it stays so. Not in the log.
CREATE TABLE seal (
    seal BLOB NOT NULL PRIMARY KEY,         -- 16 bytes made from the entry's key and a secret of the signing key
    game INTEGER NOT NULL REFERENCES game
) STRICT, WITHOUT ROWID;

-- Games in progress. Their acts are what happened; the status follows from them.
CREATE TABLE correspondence (
    number INTEGER PRIMARY KEY,
    id     BLOB NOT NULL UNIQUE,            -- 16 random bytes
    status TEXT NOT NULL,                   -- awaiting-acceptance, running, disputed, ended, annulled
    entry  INTEGER REFERENCES game,         -- that the game became when it ended
    timed  INTEGER NOT NULL,                -- 1 if clocks count
    due    INTEGER                          -- when to look at them, in milliseconds since 1970; NULL for never
) STRICT;

CREATE INDEX correspondence_by_due ON correspondence (due) WHERE due IS NOT NULL;
CREATE INDEX correspondence_timed ON correspondence (number) WHERE timed = 1 AND status = 'running';

-- When a service last ran over this archive, so that no clock counts the time in which none did. Not in the log.
CREATE TABLE alive (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    at     INTEGER NOT NULL                 -- milliseconds since 1970
) STRICT;

-- Who plays games in progress.
CREATE TABLE seat (
    correspondence INTEGER NOT NULL REFERENCES correspondence,
    player         TEXT NOT NULL,           -- white, black, nature
    name           TEXT NOT NULL,           -- the holder of a token
    PRIMARY KEY (correspondence, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX seat_by_name ON seat (name, correspondence);

-- Everything that happened in games in progress, numbered without gaps.
CREATE TABLE act (
    number         INTEGER PRIMARY KEY,
    correspondence INTEGER NOT NULL REFERENCES correspondence,
    sequence       INTEGER NOT NULL,        -- among the acts of the game, from 0
    player         TEXT,                    -- whose act it was; NULL for an arbiter, and for what follows by itself
    ply            INTEGER,                 -- of a ply: its number, from 1
    what           TEXT NOT NULL,           -- as JSON
    happened       INTEGER NOT NULL,        -- milliseconds since 1970
    token          TEXT,                    -- the name of the token that asked for it
    by             INTEGER,                 -- the event that created this token
    event          INTEGER NOT NULL,
    UNIQUE (correspondence, sequence)
) STRICT;

CREATE UNIQUE INDEX act_by_event ON act (event);

-- The seeds of games in which the lot decides for Nature. Secret until the game is over.
CREATE TABLE seed (
    correspondence INTEGER PRIMARY KEY REFERENCES correspondence,
    seed           TEXT NOT NULL
) STRICT;

-- Conditional plies: what players answer if their opponents make certain plies. Hidden until used, and not in the log.
CREATE TABLE conditional (
    correspondence INTEGER NOT NULL REFERENCES correspondence,
    player         TEXT NOT NULL,           -- white, black
    tree           TEXT NOT NULL,           -- as JSON
    PRIMARY KEY (correspondence, player)
) STRICT, WITHOUT ROWID;

-- The keys of requests, so that one that is sent again has no second effect. They are not in the log.
CREATE TABLE request (
    by     INTEGER NOT NULL,                -- the event that created the token of the sender
    key    TEXT NOT NULL,
    digest BLOB NOT NULL,                   -- 32 bytes: a digest of what was asked
    act    INTEGER NOT NULL REFERENCES act, -- the first act that it led to
    acts   INTEGER NOT NULL,                -- and how many there were
    PRIMARY KEY (by, key)
) STRICT, WITHOUT ROWID;

-- The index: what happened in stretches of entries. It follows from their texts, so that deleting it loses nothing, and
-- is not in the log. The segment that covers a forgotten entry is deleted with it.
CREATE TABLE index_segment (
    number  INTEGER PRIMARY KEY,
    first   INTEGER NOT NULL UNIQUE,        -- the number of its first entry
    games   INTEGER NOT NULL,               -- how many entries it covers
    version INTEGER NOT NULL,               -- of what is noted of games
    rules   BLOB NOT NULL,                  -- by kind of rules: 8 bytes of its key, 2 of the number in it of an entry
    tags    BLOB NOT NULL,                  -- the different values of each tag, as JSON, packed like texts
    digest  BLOB NOT NULL                   -- 16 bytes: BLAKE3 of all of it and of its blocks
) STRICT;

-- The blocks of segments: facts in order, each with the entries in which it happened.
CREATE TABLE index_block (
    number INTEGER PRIMARY KEY,             -- the segment's number, times 2^32, and the first fact
    bytes  BLOB NOT NULL
) STRICT;

-- The games of segments, packed so that they are played over without their texts.
CREATE TABLE index_game (
    number INTEGER PRIMARY KEY,             -- the segment's number, times 2^32, and those of its entries divided by 128
    bytes  BLOB NOT NULL
) STRICT;

-- Who may use a service over this archive. The tokens themselves are not kept.
CREATE TABLE token (
    name    TEXT NOT NULL,
    hash    BLOB NOT NULL PRIMARY KEY,      -- 32 bytes: BLAKE3 of the token
    holder  TEXT NOT NULL,
    scopes  TEXT NOT NULL,
    expires INTEGER,                        -- milliseconds since 1970; NULL for never
    created INTEGER NOT NULL,               -- milliseconds since 1970
    revoked INTEGER,                        -- NULL while it is good
    event   INTEGER NOT NULL                -- the last one about the token
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX token_by_name ON token (name) WHERE revoked IS NULL;

-- What texts and reports are packed with: bytes that are common to most. It is in the file, so that nothing but the file
-- is needed to unpack them; `number` is the number that each packed text names in its first bytes.
CREATE TABLE dictionary (
    number INTEGER PRIMARY KEY,
    bytes  BLOB NOT NULL                    -- a dictionary of zstd
) STRICT;

-- One row that is written to find out whether the archive can be written to.
CREATE TABLE probe (
    number  INTEGER PRIMARY KEY CHECK (number = 1),
    checked INTEGER NOT NULL,
    room    BLOB NOT NULL                   -- zeros, as many as the pages that a submission writes
) STRICT;

CREATE TRIGGER log_is_kept BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is never deleted'); END;
CREATE TRIGGER events_stay BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TRIGGER nodes_stay BEFORE UPDATE ON node BEGIN SELECT RAISE(ABORT, 'nodes are never changed'); END;
CREATE TRIGGER nodes_are_kept BEFORE DELETE ON node BEGIN SELECT RAISE(ABORT, 'nodes are never deleted'); END;
CREATE TRIGGER rules_stay BEFORE UPDATE ON rules BEGIN SELECT RAISE(ABORT, 'rules are never changed'); END;
CREATE TRIGGER rules_are_kept BEFORE DELETE ON rules BEGIN SELECT RAISE(ABORT, 'rules are never deleted'); END;
CREATE TRIGGER register_stays BEFORE UPDATE ON register BEGIN SELECT RAISE(ABORT, 'the register is never changed'); END;
CREATE TRIGGER register_is_kept BEFORE DELETE ON register BEGIN
    SELECT RAISE(ABORT, 'the register is never deleted from');
END;
CREATE TRIGGER names_stay BEFORE UPDATE ON name BEGIN SELECT RAISE(ABORT, 'names are never changed'); END;
CREATE TRIGGER names_are_kept BEFORE DELETE ON name
WHEN EXISTS (SELECT 1 FROM game WHERE old.number IN (white, black, nature, event, site))
BEGIN
    SELECT RAISE(ABORT, 'names of games are never deleted');
END;
CREATE TRIGGER plays_stay BEFORE UPDATE ON play
WHEN EXISTS (SELECT 1 FROM game WHERE game.play = old.number AND game.number NOT IN (SELECT game FROM forgotten))
BEGIN
    SELECT RAISE(ABORT, 'plays are never changed');
END;
CREATE TRIGGER plays_are_kept BEFORE DELETE ON play BEGIN SELECT RAISE(ABORT, 'plays are never deleted'); END;
CREATE TRIGGER games_stay BEFORE UPDATE ON game
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.number)
BEGIN
    SELECT RAISE(ABORT, 'games are never changed');
END;
CREATE TRIGGER games_are_kept BEFORE DELETE ON game BEGIN SELECT RAISE(ABORT, 'games are never deleted'); END;
CREATE TRIGGER submissions_stay BEFORE UPDATE ON submission
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.game)
BEGIN
    SELECT RAISE(ABORT, 'submissions are never changed');
END;
CREATE TRIGGER submissions_are_kept BEFORE DELETE ON submission BEGIN
    SELECT RAISE(ABORT, 'submissions are never deleted');
END;
CREATE TRIGGER withdrawals_stay
BEFORE UPDATE OF number, game, own, successor, because, token, by, withdrawn, event ON withdrawal
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.game)
BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never changed');
END;
CREATE TRIGGER withdrawals_are_kept BEFORE DELETE ON withdrawal BEGIN
    SELECT RAISE(ABORT, 'withdrawals are never deleted');
END;
CREATE TRIGGER reinstatements_stay BEFORE UPDATE ON reinstatement
WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = old.game)
BEGIN
    SELECT RAISE(ABORT, 'reinstatements are never changed');
END;
CREATE TRIGGER reinstatements_are_kept BEFORE DELETE ON reinstatement BEGIN
    SELECT RAISE(ABORT, 'reinstatements are never deleted');
END;
CREATE TRIGGER seals_stay BEFORE UPDATE ON seal BEGIN SELECT RAISE(ABORT, 'seals are never changed'); END;
CREATE TRIGGER seals_are_kept BEFORE DELETE ON seal BEGIN SELECT RAISE(ABORT, 'seals are never deleted'); END;
CREATE TRIGGER correspondences_stay BEFORE UPDATE OF number, id ON correspondence BEGIN
    SELECT RAISE(ABORT, 'games in progress are never changed');
END;
CREATE TRIGGER correspondences_are_kept BEFORE DELETE ON correspondence BEGIN
    SELECT RAISE(ABORT, 'games in progress are never deleted');
END;
CREATE TRIGGER acts_stay BEFORE UPDATE ON act
WHEN NOT EXISTS (SELECT 1 FROM forgotten JOIN correspondence ON correspondence.entry = forgotten.game
    WHERE correspondence.number = old.correspondence)
BEGIN
    SELECT RAISE(ABORT, 'acts are never changed');
END;
CREATE TRIGGER acts_are_kept BEFORE DELETE ON act BEGIN SELECT RAISE(ABORT, 'acts are never deleted'); END;
CREATE TRIGGER tokens_are_kept BEFORE DELETE ON token BEGIN SELECT RAISE(ABORT, 'tokens are never deleted'); END;
CREATE TRIGGER dictionaries_stay BEFORE UPDATE ON dictionary BEGIN
    SELECT RAISE(ABORT, 'dictionaries are never changed');
END;
CREATE TRIGGER dictionaries_are_kept BEFORE DELETE ON dictionary BEGIN
    SELECT RAISE(ABORT, 'dictionaries are never deleted');
END;

-- For people with the program sqlite3: SELECT * FROM listing WHERE white LIKE '%Anand%';
CREATE VIEW listing AS
SELECT game.number, lower(hex(game.id)) AS id, game.variant, white.text AS white, black.text AS black,
       nature.text AS nature, event.text AS event, site.text AS site, game.date, game.round, game.result,
       game.valid, game.plies, game.ending, strftime('%Y-%m-%dT%H:%M:%SZ', game.added / 1000, 'unixepoch') AS added,
       play.start, play.moves
FROM game
JOIN play ON play.number = game.play
JOIN name AS white ON white.number = game.white
JOIN name AS black ON black.number = game.black
LEFT JOIN name AS nature ON nature.number = game.nature
JOIN name AS event ON event.number = game.event
JOIN name AS site ON site.number = game.site;
