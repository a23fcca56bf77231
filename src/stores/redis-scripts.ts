import type { RedisScripts } from '../databases/redis.ts'
import { HAIR_MS } from './bucket.ts'

/** The server's clock, in milliseconds: that of a node may be wrong. */
const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`

/** One script each, so that it happens whole or not at all. All keys of a script have one hash tag. */
export const SCRIPTS = {
  /** KEYS entry · ARGV value, how long it lives or '', the version it must have or ''. An entry is its version and its value. */
  perigeePut: {
    numberOfKeys: 1,
    lua: `local version = tonumber(string.match(redis.call('GETRANGE', KEYS[1], 0, 19), '^%d+')) or 0
if ARGV[3] ~= '' and tonumber(ARGV[3]) ~= version then return false end
version = version + 1
local entry = string.format('%d ', version) .. ARGV[1]
if ARGV[2] == '' then redis.call('SET', KEYS[1], entry)
else redis.call('SET', KEYS[1], entry, 'PX', ARGV[2]) end
return version`,
  },

  /** KEYS items, log · ARGV how long it lives or '', how many and how many bytes it keeps, or '', values. Gives the last number. */
  perigeeAppend: {
    numberOfKeys: 2,
    lua: `local added, count = 0, 0
for place = 4, #ARGV do
  added = added + #ARGV[place]
  count = redis.call('RPUSH', KEYS[1], ARGV[place])
end
local last = redis.call('HINCRBY', KEYS[2], 'last', #ARGV - 3)
local bytes = redis.call('HINCRBY', KEYS[2], 'bytes', added)
local keep, most = tonumber(ARGV[2]) or count, tonumber(ARGV[3]) or bytes
local gone = 0
while count > 1 and (count > keep or bytes - gone > most) do
  gone = gone + #redis.call('LPOP', KEYS[1])
  count = count - 1
end
if gone > 0 then redis.call('HINCRBY', KEYS[2], 'bytes', -gone) end
for _, key in ipairs(KEYS) do
  if ARGV[1] == '' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, ARGV[1]) end
end
return last`,
  },

  /** KEYS items, log · ARGV after, limit. Gives the number of the first one, and the items. */
  perigeeRead: {
    numberOfKeys: 2,
    lua: `local last = tonumber(redis.call('HGET', KEYS[2], 'last') or 0)
local first = last - redis.call('LLEN', KEYS[1]) + 1
local skipped = math.max(0, tonumber(ARGV[1]) + 1 - first)
return { first + skipped, redis.call('LRANGE', KEYS[1], skipped, skipped + tonumber(ARGV[2]) - 1) }`,
  },

  /** KEYS bucket · ARGV how long it takes to get one more, and all but one. Kept is when it will be full again. */
  perigeeTake: {
    numberOfKeys: 1,
    lua: `${NOW}
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or 0))
local wait = full - now - tonumber(ARGV[2])
if wait >= ${HAIR_MS} then return math.ceil(wait) end
full = full + tonumber(ARGV[1])
redis.call('SET', KEYS[1], string.format('%.4f', full), 'PX', string.format('%d', math.ceil(full - now)))
return 0`,
  },

  /** KEYS group · ARGV member, how long it stays, how many it may have. The group lives as long as its last member. */
  perigeeEnter: {
    numberOfKeys: 1,
    lua: `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local isNew = not redis.call('ZSCORE', KEYS[1], ARGV[1])
if isNew and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
redis.call('PEXPIREAT', KEYS[1], string.format('%d', math.ceil(tonumber(last))))
return 1`,
  },
} as const satisfies RedisScripts

type Argument = string | number

/** The commands that ioredis makes of them. */
export interface ScriptCommands {
  perigeePut(entry: string, ...args: readonly Argument[]): Promise<number | null>
  perigeeAppend(items: string, log: string, ...args: readonly Argument[]): Promise<number>
  perigeeRead(items: string, log: string, after: number, limit: number): Promise<readonly [number, string[]]>
  perigeeTake(bucket: string, interval: number, slack: number): Promise<number>
  perigeeEnter(group: string, member: string, ttlMs: number, limit: number): Promise<number>
}
