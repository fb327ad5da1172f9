-- What texts and reports are packed with: bytes that are common to most. It is in the file, so that nothing but the file
-- is needed to unpack them; `number` is the number that each packed text names in its first bytes. Texts that were
-- packed before name none, and stay as they are.
CREATE TABLE dictionary (
    number INTEGER PRIMARY KEY,
    bytes  BLOB NOT NULL                    -- a dictionary of zstd
) STRICT;

CREATE TRIGGER dictionaries_stay BEFORE UPDATE ON dictionary BEGIN
    SELECT RAISE(ABORT, 'dictionaries are never changed');
END;
CREATE TRIGGER dictionaries_are_kept BEFORE DELETE ON dictionary BEGIN
    SELECT RAISE(ABORT, 'dictionaries are never deleted');
END;
