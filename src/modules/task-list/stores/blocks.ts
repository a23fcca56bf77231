import { type IndexTerm, SIGN, TERMS } from '../search.ts'
import type { IndexPage } from './select.ts'

/**
 * PostgreSQL's index of words gives what it finds in no order. So tasks are taken in blocks, so many numbers each, and a
 * word stands in the index once for each block that has it: blocks are asked one after the other, the newest first,
 * until a page is full.
 */
const BLOCK_BITS = 13

const blockOf = (number: string) => `(${number} >> ${BLOCK_BITS})`

/** What every word of a block begins with: other lists, and other blocks, have other words. */
const placeOf = (list: string, block: string) =>
  `substr(encode(sha256(convert_to(${list}, 'UTF8')), 'hex'), 1, 6) || '/' || ${block} || '/'`

/** Stands in a query where the place of a block comes; no word has it. */
const PLACE = '~'

/** Stands before the beginning of a word, where that is in the index by itself; no word has it. */
const BEGINS = '^'

/** How many letters such a beginning has at most; what begins with more is in few words. */
const BEGINNING = 4

/** Days are asked for by any number of their digits. */
const DAY = TERMS.due('').word

/** A term of a query. To look for all words that begin so takes longer than to look for one that says so. */
export function printTerm({ word, begins }: IndexTerm): string {
  if (begins !== true) return `'${PLACE}${word}'`
  const isKept = word.startsWith(DAY) || Array.from(word).length <= BEGINNING
  return isKept ? `'${PLACE}${BEGINS}${word}'` : `'${PLACE}${word}':*`
}

/** What was there before words had their places. */
export const DROP_UNPLACED = `
  DROP INDEX IF EXISTS task_list_by_words;
  DROP INDEX IF EXISTS task_list_by_due;`

/** Whoever has opened the list before goes on finding everything: all words are kept whole, too. */
export const ADD_BLOCKS = `
  DROP INDEX IF EXISTS task_list_by_words;
  CREATE OR REPLACE FUNCTION task_list_placed(list TEXT, number BIGINT, words TSVECTOR) RETURNS TSVECTOR
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    place TEXT := ${placeOf('list', blockOf('number'))};
    kept TEXT[] := tsvector_to_array(words);
    word TEXT;
  BEGIN
    FOREACH word IN ARRAY kept LOOP
      IF starts_with(word, '${DAY}') THEN
        FOR size IN ${DAY.length + 1}..length(word) LOOP kept := kept || ('${BEGINS}' || left(word, size)); END LOOP;
      ELSIF NOT starts_with(word, '${SIGN}') THEN
        FOR size IN 1..least(length(word), ${BEGINNING}) LOOP kept := kept || ('${BEGINS}' || left(word, size)); END LOOP;
      END IF;
    END LOOP;
    RETURN array_to_tsvector(string_to_array(place || array_to_string(kept, ' ' || place), ' '));
  END $$;
  CREATE INDEX task_list_by_words ON task_list USING gin (task_list_placed(list, number, words))
    WITH (fastupdate = off) WHERE deleted_at IS NULL;
  ANALYZE task_list;`

/** A page of what fits a query, from as few blocks as it takes. */
export function searchBlocks(query: string, page: IndexPage): string {
  const { conditions, list, limit, bind, before } = page
  const own = bind(list ?? '')
  const newest = (edge: string | undefined) => `(
    SELECT ${blockOf('number')} FROM task_list WHERE list = ${own} AND deleted_at IS NULL
    ${edge === undefined ? '' : `AND number < ${edge}`} ORDER BY number DESC LIMIT 1)`
  const last = before === undefined ? undefined : bind(before)
  // Without OFFSET 0 the planner would rather go through the whole list than ask the index of words.
  return `WITH RECURSIVE blocks (block) AS (
      SELECT ${newest(last)}
      UNION ALL SELECT ${newest(`block << ${BLOCK_BITS}`)} FROM blocks WHERE block IS NOT NULL)
    SELECT * FROM (
      SELECT t.* FROM blocks CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT t.* FROM task_list t
          WHERE task_list_placed(t.list, t.number, t.words)
              @@ replace(${bind(query)}, '${PLACE}', ${placeOf(own, 'block')})::tsquery
            AND ${conditions} ${last === undefined ? '' : `AND t.number < ${last}`}
          OFFSET 0
        ) found ORDER BY number DESC LIMIT ${limit}
      ) t LIMIT ${limit}
    ) t ORDER BY number DESC`
}
