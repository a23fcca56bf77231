import { HAIR_MS } from './bucket.ts'

/** The first of the two numbers of our advisory locks; any, as long as every program of ours takes the same. */
const LOCK = 736_554_439

const LIFE = "interval '1 millisecond'"

/**
 * The tables, in the order in which they were thought of; a script that has been released stays as it is.
 * The clock is that of the server. What is of no use after a crash is not logged.
 * A function sees in each of its statements what others did before: where one has to wait for a lock, that matters.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE perigee_entry (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    version BIGINT NOT NULL,
    expires TIMESTAMPTZ
  ) WITH (fillfactor = 80);

  CREATE TABLE perigee_log (
    name TEXT PRIMARY KEY,
    last_number BIGINT NOT NULL,
    ends BIGINT NOT NULL,
    expires TIMESTAMPTZ
  ) WITH (fillfactor = 80);

  CREATE TABLE perigee_item (
    log TEXT NOT NULL,
    number BIGINT NOT NULL,
    value TEXT NOT NULL,
    size INTEGER NOT NULL,
    -- How long the log is up to the end of this, with what it no longer has.
    ends BIGINT NOT NULL,
    PRIMARY KEY (log, number)
  );

  CREATE UNLOGGED TABLE perigee_bucket (
    key TEXT PRIMARY KEY,
    full_at DOUBLE PRECISION NOT NULL,
    wait DOUBLE PRECISION NOT NULL
  ) WITH (fillfactor = 80);

  CREATE UNLOGGED TABLE perigee_member (
    team TEXT NOT NULL,
    name TEXT NOT NULL,
    expires TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (team, name)
  ) WITH (fillfactor = 80);

  -- Messages that are too long for NOTIFY.
  CREATE UNLOGGED TABLE perigee_message (
    id TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
  );

  CREATE FUNCTION perigee_append(the_log TEXT, added JSON, life DOUBLE PRECISION, most BIGINT, most_bytes BIGINT)
  RETURNS BIGINT LANGUAGE plpgsql AS $$
  DECLARE
    moment TIMESTAMPTZ := clock_timestamp();
    amount BIGINT := json_array_length(added);
    bytes BIGINT := (SELECT sum(octet_length(value)) FROM json_array_elements_text(added));
    the_last BIGINT;
    the_end BIGINT;
  BEGIN
    INSERT INTO perigee_log AS kept (name, last_number, ends, expires)
    VALUES (the_log, amount, bytes, moment + life * ${LIFE})
    ON CONFLICT (name) DO UPDATE SET
      last_number = amount + CASE WHEN kept.expires <= moment THEN 0 ELSE kept.last_number END,
      ends = bytes + CASE WHEN kept.expires <= moment THEN 0 ELSE kept.ends END,
      expires = excluded.expires
    RETURNING last_number, ends INTO the_last, the_end;
    -- What is left of a log that has expired makes room for one that begins anew.
    IF the_last = amount THEN
      DELETE FROM perigee_item WHERE log = the_log;
    END IF;
    INSERT INTO perigee_item (log, number, value, size, ends)
    SELECT the_log, the_last - amount + one.place, one.value, octet_length(one.value),
      the_end - bytes + sum(octet_length(one.value)) OVER (ORDER BY one.place)
    FROM json_array_elements_text(added) WITH ORDINALITY AS one (value, place);
    IF most IS NOT NULL THEN
      DELETE FROM perigee_item WHERE log = the_log AND number <= the_last - greatest(most, 1);
    END IF;
    IF most_bytes IS NOT NULL THEN
      DELETE FROM perigee_item WHERE log = the_log AND number < coalesce((
        SELECT number FROM perigee_item WHERE log = the_log AND ends - size >= the_end - most_bytes
        ORDER BY number LIMIT 1
      ), the_last);
    END IF;
    RETURN the_last;
  END $$;

  CREATE FUNCTION perigee_delete(the_name TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM perigee_entry WHERE key = the_name;
    DELETE FROM perigee_log WHERE name = the_name;
    DELETE FROM perigee_item WHERE log = the_name;
  END $$;

  CREATE FUNCTION perigee_enter(the_team TEXT, the_name TEXT, life DOUBLE PRECISION, most BIGINT)
  RETURNS BOOLEAN LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE perigee_member SET expires = clock_timestamp() + life * ${LIFE}
    WHERE team = the_team AND name = the_name AND expires > clock_timestamp();
    IF FOUND THEN
      RETURN TRUE;
    END IF;
    PERFORM pg_advisory_xact_lock(${LOCK}, hashtext(the_team));
    DELETE FROM perigee_member WHERE team = the_team AND expires <= clock_timestamp();
    IF NOT EXISTS (SELECT 1 FROM perigee_member WHERE team = the_team AND name = the_name)
      AND (SELECT count(*) FROM perigee_member WHERE team = the_team) >= most THEN
      RETURN FALSE;
    END IF;
    INSERT INTO perigee_member (team, name, expires) VALUES (the_team, the_name, clock_timestamp() + life * ${LIFE})
    ON CONFLICT (team, name) DO UPDATE SET expires = excluded.expires;
    RETURN TRUE;
  END $$;

  -- Removes some of what has expired, and tells how much; who finds that somebody else is at it leaves it to them.
  CREATE FUNCTION perigee_sweep(most INTEGER, message_life DOUBLE PRECISION) RETURNS BIGINT LANGUAGE plpgsql AS $$
  DECLARE
    moment TIMESTAMPTZ := clock_timestamp();
    gone TEXT[];
    amount BIGINT;
    total BIGINT := 0;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(${LOCK}) THEN
      RETURN 0;
    END IF;
    DELETE FROM perigee_entry WHERE key IN (
      SELECT key FROM perigee_entry WHERE expires <= moment LIMIT most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS amount = ROW_COUNT;
    total := total + amount;
    WITH old AS (
      DELETE FROM perigee_log WHERE name IN (
        SELECT name FROM perigee_log WHERE expires <= moment LIMIT most FOR UPDATE SKIP LOCKED)
      RETURNING name
    ) SELECT array_agg(name) INTO gone FROM old;
    DELETE FROM perigee_item WHERE log = ANY (gone);
    total := total + coalesce(array_length(gone, 1), 0);
    DELETE FROM perigee_bucket WHERE key IN (
      SELECT key FROM perigee_bucket WHERE full_at <= extract(epoch FROM moment) * 1000 LIMIT most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS amount = ROW_COUNT;
    total := total + amount;
    DELETE FROM perigee_member WHERE (team, name) IN (
      SELECT team, name FROM perigee_member WHERE expires <= moment LIMIT most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS amount = ROW_COUNT;
    total := total + amount;
    DELETE FROM perigee_message WHERE id IN (
      SELECT id FROM perigee_message WHERE at <= moment - message_life * ${LIFE} LIMIT most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS amount = ROW_COUNT;
    RETURN total + amount;
  END $$;`,
]

const NOW_MS = 'extract(epoch FROM statement_timestamp())::DOUBLE PRECISION * 1000'

/** What has to pass before there is one to take. */
const WAIT = `greatest(kept.full_at, ${NOW_MS}) - ${NOW_MS} - $3`

const EXPIRES = `clock_timestamp() + $2::DOUBLE PRECISION * ${LIFE}`
const ALIVE = '(expires IS NULL OR expires > clock_timestamp())'

/** One statement each, so that it happens whole or not at all, whoever else is writing. */
export const SQL = {
  get: `SELECT value, version FROM perigee_entry WHERE key = $1 AND ${ALIVE}`,

  put: `INSERT INTO perigee_entry AS kept (key, value, version, expires) VALUES ($1, $3, 1, ${EXPIRES})
    ON CONFLICT (key) DO UPDATE
    SET value = excluded.value, version = kept.version + 1, expires = excluded.expires
    RETURNING version`,

  /** An entry that has expired is as good as none. */
  putNew: `INSERT INTO perigee_entry AS kept (key, value, version, expires) VALUES ($1, $3, 1, ${EXPIRES})
    ON CONFLICT (key) DO UPDATE
    SET value = excluded.value, version = kept.version + 1, expires = excluded.expires
    WHERE kept.expires <= clock_timestamp()
    RETURNING version`,

  putOver: `UPDATE perigee_entry SET value = $3, version = version + 1, expires = ${EXPIRES}
    WHERE key = $1 AND version = $4 AND ${ALIVE}
    RETURNING version`,

  touch: `UPDATE perigee_entry SET expires = ${EXPIRES} WHERE key = $1 AND ${ALIVE} RETURNING version`,

  delete: 'SELECT perigee_delete($1)',

  append: 'SELECT perigee_append($1, $2, $3, $4, $5) AS number',

  read: `SELECT number, value FROM perigee_item
    WHERE log = $1 AND number > $2 AND EXISTS (SELECT 1 FROM perigee_log WHERE name = $1 AND ${ALIVE})
    ORDER BY number LIMIT $3`,

  /** Channels and payloads, in order. */
  publish: `SELECT pg_notify(one->>0, one->>1)
    FROM (SELECT one FROM json_array_elements($1::JSON) WITH ORDINALITY AS sent (one, place) ORDER BY place) AS sent`,

  /** The same, with ids and texts of those that are too long. */
  publishLong: `WITH kept AS (
      INSERT INTO perigee_message (id, value) SELECT one->>0, one->>1 FROM json_array_elements($2::JSON) AS one
    ) SELECT pg_notify(one->>0, one->>1)
    FROM (SELECT one FROM json_array_elements($1::JSON) WITH ORDINALITY AS sent (one, place) ORDER BY place) AS sent`,

  message: 'SELECT value FROM perigee_message WHERE id = $1',

  /** When a bucket will be full again says how much it holds. */
  take: `INSERT INTO perigee_bucket AS kept (key, full_at, wait) VALUES ($1, ${NOW_MS} + $2, 0)
    ON CONFLICT (key) DO UPDATE SET wait = ${WAIT},
      full_at = CASE WHEN ${WAIT} < ${HAIR_MS} THEN greatest(kept.full_at, ${NOW_MS}) + $2 ELSE kept.full_at END
    RETURNING wait`,

  enter: 'SELECT perigee_enter($1, $2, $3, $4) AS entered',

  leave: 'DELETE FROM perigee_member WHERE team = $1 AND name = $2',

  sweep: 'SELECT perigee_sweep($1, $2) AS removed',
} as const
