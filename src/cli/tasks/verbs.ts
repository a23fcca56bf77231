import type { JsonObject } from '../../kernel/index.ts'
import { PRIORITIES, STATUSES, type Task } from '../../modules/task-list/task.ts'
import type { CommandOutput } from '../client/output.ts'
import { readNumber, readOneOf } from '../config.ts'
import type { CommandLine } from '../flags.ts'
import type { SettingTable } from '../settings.ts'
import { UsageError } from '../usage-error.ts'
import type { TaskDesk } from './desk.ts'
import { printItem, printList, printTask } from './print.ts'

/** Something one does with a task list at a terminal. */
export interface TaskVerb {
  readonly words: string
  readonly summary: string
  /** What may be typed after its name. */
  readonly example: string
  readonly settings: SettingTable
  run(desk: TaskDesk, line: CommandLine, output: CommandOutput): Promise<void>
}

const one = (placeholder: string, description: string) => ({ placeholder, description })
const many = (placeholder: string, description: string) =>
  ({ kind: 'many', placeholder, description }) as const

const FIELDS: SettingTable = {
  priority: one('PRIORITY', PRIORITIES.join(', ')),
  due: one('WHEN', '2026-11-20, tomorrow, "next friday", "friday at 15:00"'),
  tag: many('TAG', 'a tag; may be repeated'),
  parent: one('ID', 'the task that it is a part of'),
  'blocked-by': many('ID', 'a task that must be closed first; may be repeated'),
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100_000

const list: TaskVerb = {
  words: '[WORDS …]',
  example: 'release --limit 5',
  summary: 'shows open tasks, newest first, or those with all these words',
  settings: {
    all: { kind: 'switch', description: 'also what is done or cancelled' },
    ready: { kind: 'switch', description: 'only what nobody works on and nothing open blocks' },
    status: one('STATUS', STATUSES.join(', ')),
    priority: one('PRIORITY', PRIORITIES.join(', ')),
    tag: one('TAG', 'only what has this tag'),
    'due-before': one('WHEN', 'only what is due before then'),
    parent: one('ID', 'only the parts of this task'),
    limit: { ...one('COUNT', 'how many at most'), fallback: String(DEFAULT_LIMIT) },
  },
  run: async (desk, { words, flags }, output) => {
    const {
      all,
      status,
      limit = String(DEFAULT_LIMIT),
      'due-before': due_before,
      parent,
      ...rest
    } = checkChoices(flags)
    const filter = {
      ...rest,
      ...(words.length > 0 && { text: words.join(' ') }),
      ...(status === undefined ? all !== true && { open: true } : { status }),
      ...(due_before !== undefined && { due_before }),
      ...(parent !== undefined && { parent: await desk.findId(String(parent)) }),
    }
    const tasks = []
    let hasMore = false
    for await (const page of desk.pages(filter, readNumber('limit', String(limit), MAX_LIMIT))) {
      tasks.push(...page.tasks)
      hasMore = page.hasMore
    }
    if (output.json) return output.sayJson({ tasks })
    output.say(
      printList(tasks, { width: process.stdout.isTTY ? process.stdout.columns : 1000, zone: desk.zone }),
    )
    if (hasMore) output.note(`There are more: --limit COUNT shows them, words find some`)
  },
}

const add: TaskVerb = {
  words: 'WORDS …',
  example: 'Write the release notes --priority high',
  summary: 'makes a task',
  settings: FIELDS,
  run: async (desk, { words, flags }, output) => {
    const description = words.join(' ').trim()
    if (description === '') throw new UsageError('what is to be done? Expected bossman add WORDS …')
    const task = await desk.task('create_task', {
      description,
      ...(await fieldsOf(flags, desk)),
    })
    sayTask(task, desk, output)
  },
}

const done: TaskVerb = {
  words: 'ID …',
  example: '3f9c',
  summary: 'marks tasks as done',
  settings: {},
  run: async (desk, { words }, output) => {
    for (const word of checkIds('done', words)) {
      const task = await desk.task('complete_task', { id: await desk.findId(word) })
      sayTask(task, desk, output)
    }
  },
}

const edit: TaskVerb = {
  words: 'ID [WORDS …]',
  example: '3f9c --status in_progress',
  summary:
    'changes a task: new words, or what the options say; "none" takes a date, tags, a parent or what blocks it away',
  settings: { ...FIELDS, status: one('STATUS', STATUSES.join(', ')) },
  run: async (desk, { words, flags }, output) => {
    const [given = '', ...description] = checkIds('edit', words)
    const { id, updatedAt } = await desk.task('get_task', { id: await desk.findId(given) })
    const task = await desk.task('update_task', {
      id,
      ...(description.length > 0 && { description: description.join(' ') }),
      ...(await fieldsOf(flags, desk)),
      expectedUpdatedAt: updatedAt,
    })
    sayTask(task, desk, output)
  },
}

const show: TaskVerb = {
  words: 'ID',
  example: '3f9c',
  summary: 'shows all of a task, its parts and its history',
  settings: {},
  run: async (desk, { words }, output) => {
    const [given = '', ...more] = checkIds('show', words)
    checkNothing(more)
    const id = await desk.findId(given)
    const task = await desk.task('get_task', { id })
    const parts = []
    for await (const page of desk.pages({ parent: id }, MAX_LIMIT)) parts.push(...page.tasks)
    const { entries } = await desk.use('task_history', { id })
    if (output.json) return output.sayJson({ task, parts, history: entries })
    output.say(printTask({ task, parts, entries: entries as readonly JsonObject[], zone: desk.zone })) // As its output schema says.
  },
}

const exportAll: TaskVerb = {
  words: '',
  example: '> tasks.md',
  summary: 'writes every task, newest first: a Markdown check-list, or with --json a line of JSON each',
  settings: {},
  run: async (desk, { words }, output) => {
    checkNothing(words)
    for await (const { tasks } of desk.pages({})) {
      if (tasks.length === 0) return
      output.say(tasks.map((task) => (output.json ? JSON.stringify(task) : printItem(task))).join('\n'))
    }
  },
}

export const VERBS: { readonly [name: string]: TaskVerb } = { list, add, done, edit, show, export: exportAll }

function sayTask(task: Task, { zone }: TaskDesk, output: CommandOutput): void {
  if (output.json) output.sayLine(task)
  else output.say(printList([task], { width: 1000, zone }))
}

function checkIds(verb: string, words: readonly string[]): readonly string[] {
  if (words.length > 0) return words
  throw new UsageError(
    `which task? Expected bossman ${verb} ${VERBS[verb]?.words}; bossman list shows their ids`,
  )
}

function checkChoices(flags: CommandLine['flags']): CommandLine['flags'] {
  const { priority, status } = flags
  if (priority !== undefined) readOneOf('priority', String(priority), PRIORITIES)
  if (status !== undefined) readOneOf('status', String(status), STATUSES)
  return flags
}

/** What would be ignored was meant to do something. */
function checkNothing(words: readonly string[]): void {
  if (words[0] !== undefined) throw new UsageError(`expected nothing more, got ${JSON.stringify(words[0])}`)
}

/** The options as arguments of a tool; ids may be short, and `none` takes something away. */
async function fieldsOf(flags: CommandLine['flags'], desk: TaskDesk): Promise<JsonObject> {
  const { due, tag, parent, 'blocked-by': blockers, ...rest } = checkChoices(flags)
  const isNone = (value: unknown) => String(value) === 'none'
  const ids = (given: unknown) => Promise.all([given].flat().map((id) => desk.findId(String(id))))
  return {
    ...rest,
    ...(due !== undefined && { due: isNone(due) ? null : due }),
    ...(tag !== undefined && { tags: isNone(tag) ? [] : tag }),
    ...(parent !== undefined && { parent: isNone(parent) ? null : (await ids(parent))[0] }),
    ...(blockers !== undefined && { blocked_by: isNone(blockers) ? [] : await ids(blockers) }),
  }
}
