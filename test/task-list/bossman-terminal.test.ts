import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { VERBS } from '../../src/cli/tasks/verbs.ts'
import type { Task } from '../../src/modules/task-list/task.ts'
import { SCRIPT, say, startBossman } from './bossman.ts'
import { createFolder } from './folder.ts'

/** A list of its own, and what `bossman …` says on it. */
function createList() {
  const store = `sqlite:${join(createFolder(), 'tasks.db')}`
  const env = { ...process.env, BOSSMAN_STORE: store, BOSSMAN_ZONE: 'UTC' }
  const bossman = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { stdout, stderr, code }
  }
  const json = async (...args: readonly string[]) => JSON.parse((await bossman(...args, '--json')).stdout)
  return { store, bossman, json }
}

it('names in its help what can be typed', async () => {
  const { stdout } = await createList().bossman('--help')
  expect(stdout).toContain(`bossman ${Object.keys(VERBS).join(' | ')} …`)
})

it('takes every word as it is typed', async () => {
  const { json } = createList()
  expect(await json('add', 'toString', 'in', 'the', 'constructor', '--tag', 'valueOf')).toMatchObject({
    description: 'toString in the constructor',
    tags: ['valueOf'],
  })
})

it('adds, lists, edits, shows, completes and exports at a terminal what agents see', async () => {
  const { store, bossman, json } = createList()
  const first: Task = await json(
    'add',
    'Pack',
    'the books',
    '--tag',
    'home',
    '--tag',
    'heavy',
    '--due',
    'tomorrow',
  )
  expect(first).toMatchObject({ description: 'Pack the books', tags: ['home', 'heavy'] })
  expect(first.due).toMatch(/^\d{4}-\d\d-\d\d$/)
  const short = first.id.slice(5, 11)
  const added = await bossman('add', 'Drive', '--blocked-by', short, '--priority', 'urgent')
  expect(added.stdout).toMatch(new RegExp(`^○ [0-9a-z]{6} ‼ Drive after ${short}\n$`))
  const agent = await startBossman({ args: ['--store', store] })
  await say(agent, 'claim_task', { id: first.id, agent: 'robot' })
  const { stdout } = await bossman('list')
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringContaining('Drive after'),
    expect.stringMatching(new RegExp(`^◐ ${short}   ${first.due} Pack the books #home #heavy @robot$`)),
  ])
  expect((await json('list', 'pack', '--tag', 'home')).tasks).toMatchObject([{ id: first.id }])
  expect((await json('list', '--ready')).tasks).toEqual([])
  await bossman('edit', short, 'Pack', 'all', 'books', '--due', 'none', '--tag', 'none')
  expect((await bossman('done', short)).stdout).toContain(`● ${short}   Pack all books`)
  expect((await json('list', '--ready')).tasks).toMatchObject([{ description: 'Drive' }])
  const shown = await bossman('show', short)
  expect(shown.stdout).toMatch(/^Pack all books\n\n {2}id {7}task_/)
  expect(shown.stdout).toMatch(
    /changed by terminal description: Pack the books → Pack all books; due: .* → –/,
  )
  const { history } = await json('show', first.id)
  expect(history.map(({ what }: { what: string }) => what)).toEqual([
    'changed',
    'changed',
    'claimed',
    'created',
  ])
  expect((await bossman('export')).stdout).toMatch(
    /^- \[ \] Drive \(priority urgent; task_\w+\)\n- \[x\] Pack all books \(task_\w+\)\n$/,
  )
  expect(
    (await bossman('export', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).status),
  ).toEqual(['pending', 'done'])
})

it('says at a terminal what is wrong, and what would help', async () => {
  const { bossman } = createList()
  const wrong = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await bossman(...args)
    expect(stdout).toBe('')
    return `${code} ${stderr.trim()}`
  }
  expect(await wrong('lst')).toBe('2 bossman: there is no command lst. Did you mean list?')
  expect(await wrong('add')).toBe('2 bossman: what is to be done? Expected bossman add WORDS …')
  expect(await wrong('done')).toContain('2 bossman: which task? Expected bossman done ID …')
  expect(await wrong('show', 'nothing')).toBe('2 bossman: there is no task whose id begins with task_nothing')
  expect(await wrong('show', 'task_0123456789abcdef')).toBe(
    '1 bossman: task not found: task_0123456789abcdef',
  )
  expect(await wrong('add', 'x', '--due', 'some day')).toContain(
    '2 bossman: due: expected a date such as 2026-11-20, tomorrow',
  )
  expect(await wrong('list', '--colour')).toContain('2 bossman: there is no option --colour')
  expect((await bossman('list', '--help')).stdout).toMatch(
    /^bossman list: shows open tasks[\s\S]*--due-before WHEN/,
  )
  expect((await bossman('list')).stdout).toBe('Nothing to show.\n')
  expect(await wrong('add', ' ')).toBe('2 bossman: what is to be done? Expected bossman add WORDS …')
  expect(await wrong('add', 'x', '--priority', 'mega')).toBe(
    '2 bossman: priority: expected one of low, normal, high, urgent, got "mega"',
  )
  expect(await wrong('list', '--status', 'open')).toContain('2 bossman: status: expected one of pending,')
  expect(await wrong('export', 'home')).toBe('2 bossman: expected nothing more, got "home"')
  expect(await wrong('show', 'one', 'other')).toBe('2 bossman: expected nothing more, got "other"')
})

it('takes nothing for the beginning of no id, though there is one task alone', async () => {
  const { bossman, json } = createList()
  await bossman('add', 'The only one')
  for (const args of [
    ['done', ''],
    ['done', 'task_'],
    ['edit', '', 'Other'],
    ['add', 'Part', '--parent', ''],
  ]) {
    const { stderr, code } = await bossman(...args)
    expect(`${code} ${stderr}`).toMatch(/^2 bossman: expected the beginning of an id, got "(task_)?"/)
  }
  expect((await json('list')).tasks).toMatchObject([{ description: 'The only one', status: 'pending' }])
})

it('says in one sentence that a list cannot be opened', async () => {
  const { bossman } = createList()
  const { stderr, code } = await bossman('list', '--tasks', 'sqlite:/nowhere/tasks.db')
  expect(code).toBe(1)
  expect(stderr).toBe(
    'bossman: The database /nowhere/tasks.db cannot be opened: there is no folder /nowhere. Create it first\n',
  )
})

it('shows a time as the clock of the reader has it, and what is overdue', async () => {
  const { bossman } = createList()
  await bossman('add', 'Call', '--due', '2001-11-20T15:00:00Z')
  await bossman('add', 'Pay', '--due', 'yesterday')
  await bossman('add', 'Rest', '--due', 'tomorrow')
  const { stdout } = await bossman('list', '--zone', 'Asia/Tokyo')
  const [rest, pay, call] = stdout.split('\n')
  expect(rest).toMatch(/Rest$/)
  expect(pay).toMatch(/Pay \(overdue\)$/)
  expect(call).toMatch(/2001-11-21 00:00 Call \(overdue\)$/)
})
