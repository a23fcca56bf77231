import { HAIR_MS } from './bucket.ts'

/** The tables, in the order in which they were thought of; a script that has been released stays as it is. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE entry (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    expires INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX entry_by_expiry ON entry (expires) WHERE expires IS NOT NULL;

  CREATE TABLE item (
    log TEXT NOT NULL,
    number INTEGER NOT NULL,
    value TEXT NOT NULL,
    expires INTEGER,
    keep INTEGER,
    PRIMARY KEY (log, number)
  ) WITHOUT ROWID;
  CREATE INDEX item_by_expiry ON item (expires) WHERE expires IS NOT NULL;

  -- What is left of a log that has expired makes room for one that begins anew.
  CREATE TRIGGER item_begins BEFORE INSERT ON item WHEN NEW.number = 1 BEGIN
    DELETE FROM item WHERE log = NEW.log;
  END;
  CREATE TRIGGER item_keeps AFTER INSERT ON item WHEN NEW.keep IS NOT NULL BEGIN
    DELETE FROM item WHERE log = NEW.log AND number <= NEW.number - NEW.keep;
  END;

  -- All that has a name, so that one statement deletes whatever has it.
  CREATE VIEW named AS SELECT key AS name FROM entry UNION SELECT log FROM item;
  CREATE TRIGGER named_deletes INSTEAD OF DELETE ON named BEGIN
    DELETE FROM entry WHERE key = OLD.name;
    DELETE FROM item WHERE log = OLD.name;
  END;

  CREATE TABLE notice (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    value TEXT NOT NULL,
    sender TEXT NOT NULL,
    at INTEGER NOT NULL
  );`,

  `-- How long a log is up to the end of an item, printed, with what it no longer has.
  ALTER TABLE item ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE item ADD COLUMN keep_bytes INTEGER;

  CREATE TRIGGER item_keeps_bytes AFTER INSERT ON item WHEN NEW.keep_bytes IS NOT NULL BEGIN
    DELETE FROM item WHERE log = NEW.log AND number < coalesce((
      SELECT number FROM item WHERE log = NEW.log AND ends - length(value) >= NEW.ends - NEW.keep_bytes
      ORDER BY number LIMIT 1
    ), NEW.number);
  END;

  CREATE TABLE bucket (
    key TEXT PRIMARY KEY,
    full_at REAL NOT NULL,
    wait REAL NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE member (
    team TEXT NOT NULL,
    name TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (team, name)
  ) WITHOUT ROWID;`,
]

/** A log lives as long as its last item. */
const LAST_ITEM = 'SELECT number, ends, expires FROM item WHERE log = $1 ORDER BY number DESC LIMIT 1'

/** What has to pass before there is one to take. */
const WAIT = 'max(full_at, $2) - $2 - $4'

/** One statement each, so that it happens whole or not at all, whoever else is writing. */
export const SQL = {
  get: 'SELECT value, version FROM entry WHERE key = $1 AND (expires IS NULL OR expires > $2)',

  /** Its version says 0 of an entry that has expired, as of one that was never there. */
  put: `INSERT INTO entry (key, value, version, expires)
    SELECT $1, $2, 1, $3 WHERE $4 IS NULL OR $4 = 0 OR EXISTS (SELECT 1 FROM entry WHERE key = $1)
    ON CONFLICT (key) DO UPDATE
    SET value = excluded.value, version = entry.version + 1, expires = excluded.expires
    WHERE $4 IS NULL OR $4 = CASE WHEN entry.expires <= $5 THEN 0 ELSE entry.version END
    RETURNING version`,

  touch: `UPDATE entry SET expires = $2 WHERE key = $1 AND (expires IS NULL OR expires > $3) RETURNING version`,

  delete: 'DELETE FROM named WHERE name = $1',

  append: `WITH last AS (SELECT * FROM (${LAST_ITEM}) WHERE expires IS NULL OR expires > $5)
    INSERT INTO item (log, number, value, expires, keep, keep_bytes, ends)
    SELECT $1, 1 + coalesce((SELECT number FROM last), 0), $2, $3, $4, $6,
      length($2) + coalesce((SELECT ends FROM last), 0)
    RETURNING number`,

  read: `SELECT number, value FROM item
    WHERE log = $1 AND number > $2 AND EXISTS (SELECT 1 FROM (${LAST_ITEM}) WHERE expires IS NULL OR expires > $4)
    ORDER BY number LIMIT $3`,

  publish: 'INSERT INTO notice (topic, value, sender, at) VALUES ($1, $2, $3, $4) RETURNING number',

  lastNotice: "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'notice'), 0) AS number",

  notices: 'SELECT number, topic, value FROM notice WHERE number > $1 ORDER BY number',

  /** When a bucket will be full again says how much it holds. */
  take: `INSERT INTO bucket (key, full_at, wait) VALUES ($1, $2 + $3, 0)
    ON CONFLICT (key) DO UPDATE SET wait = ${WAIT},
      full_at = CASE WHEN ${WAIT} < ${HAIR_MS} THEN max(full_at, $2) + $3 ELSE full_at END
    RETURNING wait`,

  enter: `INSERT INTO member (team, name, expires) SELECT $1, $2, $3
    WHERE EXISTS (SELECT 1 FROM member WHERE team = $1 AND name = $2 AND expires > $4)
      OR (SELECT count(*) FROM member WHERE team = $1 AND expires > $4) < $5
    ON CONFLICT (team, name) DO UPDATE SET expires = excluded.expires
    RETURNING name`,

  leave: 'DELETE FROM member WHERE team = $1 AND name = $2',

  sweepEntries: 'DELETE FROM entry WHERE expires <= $1',

  sweepLogs: `DELETE FROM item WHERE log IN (
      SELECT log FROM item AS last WHERE expires <= $1
      AND NOT EXISTS (SELECT 1 FROM item AS later WHERE later.log = last.log AND later.number > last.number)
    )`,

  sweepBuckets: 'DELETE FROM bucket WHERE full_at <= $1',

  sweepMembers: 'DELETE FROM member WHERE expires <= $1',

  sweepNotices: 'DELETE FROM notice WHERE at <= $1',
} as const
