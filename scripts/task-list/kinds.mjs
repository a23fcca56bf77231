import { createRandom, TAGS, WORDS, word, zipf } from './tasks.mjs'

const STATUSES = ['pending', 'in_progress', 'done', 'cancelled']
const PRIORITIES = ['low', 'normal', 'high', 'urgent']

/** Every kind of page that one can ask for, by its name, each time with other words, tags and dates. */
export async function createKinds(use) {
  const random = createRandom(11)
  const one = (list) => list[Math.floor(random() * list.length)]
  const anyWord = () => word(zipf(random, WORDS))
  const tag = () => `tag ${zipf(random, TAGS)}`
  const day = (from, to) => {
    const [first, last] = [Date.parse(from), Date.parse(to)]
    return new Date(first + random() * (last - first)).toISOString().slice(0, 10)
  }
  const parent = (await use('list_tasks', { limit: 1 })).tasks[0].id
  for (let n = 0; n < 100; n++) await use('create_task', { description: `part ${n}`, parent })
  return {
    everything: () => ({}),
    'by status': () => ({ status: one(STATUSES) }),
    open: () => ({ open: true }),
    ready: () => ({ ready: true }),
    'by priority': () => ({ priority: one(PRIORITIES) }),
    'by status and priority': () => ({ status: one(STATUSES), priority: one(PRIORITIES) }),
    'by tag': () => ({ tag: tag() }),
    'by a tag that nothing has': () => ({ tag: 'nothing' }),
    'by tag and status': () => ({ tag: tag(), status: one(STATUSES) }),
    'due before a day long ago': () => ({ due_before: day('2022-12-01', '2023-02-01') }),
    'due before some day': () => ({ due_before: day('2023-02-01', '2026-11-01') }),
    'due before a day to come': () => ({ due_before: day('2026-11-17', '2027-03-01') }),
    'done, due before some day': () => ({ status: 'done', due_before: day('2023-02-01', '2026-11-01') }),
    'by tag and day': () => ({ tag: tag(), due_before: day('2023-02-01', '2026-11-01') }),
    'open and overdue': () => ({ open: true, due_before: '2026-11-17' }),
    'urgent and overdue': () => ({ priority: 'urgent', status: 'pending', due_before: '2026-11-17' }),
    'by a word': () => ({ text: anyWord() }),
    'by two words': () => ({ text: `${anyWord()} ${anyWord()}` }),
    'by three words': () => ({ text: `${anyWord()} ${anyWord()} ${anyWord()}` }),
    'by a word that nothing has': () => ({ text: 'nothingofthekind' }),
    'by the first letter of a word': () => ({ text: anyWord().slice(0, 1) }),
    'by three letters of a word': () => ({ text: anyWord().slice(0, 3) }),
    'by four letters of a word': () => ({ text: anyWord().slice(0, 4) }),
    'by a word and a letter': () => ({ text: `${anyWord()} ${anyWord().slice(0, 1)}` }),
    'by two letters and a word': () => ({ text: `${anyWord()[0]} ${anyWord()[0]} ${anyWord()}` }),
    'by a letter, and what nothing has': () => ({ text: `${anyWord()[0]} nothingofthekind` }),
    'by word and status': () => ({ text: anyWord(), status: one(STATUSES) }),
    'by word, open': () => ({ text: anyWord(), open: true }),
    'by word and tag': () => ({ text: anyWord(), tag: tag() }),
    'by word and day': () => ({ text: anyWord(), due_before: day('2023-02-01', '2026-11-01') }),
    'parts of a task': () => ({ parent }),
    'a page of 200': () => ({ limit: 200 }),
  }
}
