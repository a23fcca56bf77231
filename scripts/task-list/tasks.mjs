/** A list as one grows over years: the oldest are done, the newest open, dates near the day of creation. */
export function* createTasks(count) {
  const random = createRandom(7)
  const start = Date.parse('2023-01-01T00:00:00Z')
  const step = (Date.parse('2026-11-17T00:00:00Z') - start) / count
  for (let n = 0; n < count; n++) {
    const created = new Date(start + n * step)
    const description = createText(random)
    const status = statusOf(n / count, random())
    const due =
      random() < 0.5 ? new Date(created.getTime() + random() * 60 * DAY_MS).toISOString().slice(0, 10) : null
    yield {
      id: `task_${n
        .toString(32)
        .padStart(16, '0')
        .replaceAll(/[ilou]/g, 'z')}${n}`.slice(0, 30),
      description,
      folded: description,
      status,
      priority: PRIORITIES[Math.floor(random() * PRIORITIES.length)],
      due,
      due_end: due && `${due}T23:59:59.999Z`,
      tags: JSON.stringify(createTags(random)),
      created_at: created.toISOString(),
      updated_at: created.toISOString(),
      completed_at: status === 'done' ? new Date(created.getTime() + DAY_MS).toISOString() : null,
    }
  }
}

const DAY_MS = 86_400_000
const PRIORITIES = ['low', 'normal', 'normal', 'normal', 'normal', 'normal', 'high', 'high', 'urgent']
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ne',
  'pu',
  'ra',
  'so',
  'ti',
  'vu',
  'ze',
  'bri',
  'cho',
  'dra',
  'fle',
  'gru',
  'sta',
]

/** Some words stand in a tenth of all tasks, most in a few of them, as it is with words. */
export function word(rank) {
  const [a, b, c] = [rank % 16, Math.floor(rank / 16) % 16, Math.floor(rank / 256)]
  return `${SYLLABLES[a]}${SYLLABLES[b]}${c === 0 ? '' : SYLLABLES[c % 16] + (c >> 4 || '')}`
}

export const WORDS = 20_000
export const TAGS = 500

export function zipf(random, size) {
  return Math.min(size - 1, Math.floor(size ** random()) - 1)
}

function createText(random) {
  const length = 4 + Math.floor(random() * 10)
  return Array.from({ length }, () => word(zipf(random, WORDS))).join(' ')
}

function createTags(random) {
  return [...new Set(Array.from({ length: Math.floor(random() * 3) }, () => `tag ${zipf(random, TAGS)}`))]
}

/** A tenth of the newest fifth is under way, most of it open, and some of everything is left behind. */
function statusOf(age, chance) {
  if (age > 0.8) return chance < 0.1 ? 'in_progress' : chance < 0.6 ? 'pending' : 'done'
  return chance < 0.02 ? 'pending' : chance < 0.07 ? 'cancelled' : 'done'
}

/** The same numbers every time. */
export function createRandom(seed) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
