import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { callTool, median, printNumber, printTable } from '../../dist/bench/index.js'
import { install } from '../../scripts/outside.mjs'
import { openSide, takeTurns } from './beside.mjs'
import { ROOT } from './contenders.mjs'
import { createStage, fileCases } from './file-cases.mjs'
import { fileScale } from './file-scale.mjs'
import { printPromises } from './report.mjs'

const CCMCP = join(ROOT, 'dist', 'cli', 'bin', 'ccmcp.js')
const BARE = join(ROOT, 'bench', 'servers', 'bare-read.mjs')
const PEER = ['@modelcontextprotocol/server-filesystem', '2026.8.31']

/** ccmcp beside the official server: the same cases, then turns at reading a small file. */
export async function benchFiles({ quick }) {
  const peer = join(await install(...PEER), 'dist', 'index.js')
  const entries = [
    {
      name: 'ccmcp --full',
      which: 0,
      command: (root) => [process.execPath, CCMCP, '--full', '--root', root, '--log-level', 'off'],
    },
    { name: 'server-filesystem', which: 1, command: (root) => [process.execPath, peer, root] },
  ]
  const cases = []
  console.error('the cases …')
  for (const entry of entries) cases.push(await inStage((stage) => tryCases(entry, stage)))
  const swaps = []
  console.error('reads while a folder is swapped …')
  for (const entry of entries) swaps.push(await inStage((stage) => trySwaps(entry, stage, quick ? 1 : 3)))
  console.error('small reads, in turns …')
  const speed = await inStage((stage) =>
    race(entries, stage, quick ? { cycles: 3, seconds: 0.3 } : { cycles: 11, seconds: 0.5 }),
  )
  console.error('a folder of many files …')
  const scale = await fileScale({ files: quick ? 10_000 : 100_000, command: entries[0].command })
  return report({ cases, swaps, speed, scale })
}

async function inStage(work) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'perigee-files-')))
  try {
    return await work(createStage(base))
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Which cases came out as expected; a server without such a thing has not. */
async function tryCases(entry, stage) {
  const client = await openSide({ command: entry.command(stage.root) })
  const rows = []
  for (const [group, list] of Object.entries(fileCases(stage)))
    for (const [what, ours, theirs, expected] of list) {
      const [tool, args] = [ours, theirs][entry.which] ?? []
      const answer = tool && (await client.ask(callTool(tool, args)).catch((error) => ({ error })))
      rows.push({ group, what, state: tool === undefined ? 'none' : expected(answer) ? 'yes' : 'no' })
    }
  await client.close()
  return rows
}

/** How often something from outside is read while a folder is swapped for a link, again and again. */
async function trySwaps(entry, { root, outside }, seconds) {
  mkdirSync(join(root, 'door'))
  writeFileSync(join(root, 'door', 'secret.txt'), 'inside')
  symlinkSync(outside, join(root, 'trap'))
  const swapper = new Worker(
    `const { renameSync } = require('node:fs')
     const at = (name) => require('node:worker_threads').workerData + '/' + name
     for (;;) for (const [from, to] of [['door', 'parked'], ['trap', 'door'], ['door', 'trap'], ['parked', 'door']]) renameSync(at(from), at(to))`,
    { eval: true, workerData: root },
  )
  const client = await openSide({ command: entry.command(root) })
  const tool = entry.which === 0 ? 'read_file' : 'read_text_file'
  const read = callTool(tool, { path: join(root, 'door', 'secret.txt') })
  const seen = { reads: 0, inside: 0, leaks: 0 }
  for (const end = performance.now() + seconds * 1000; performance.now() < end; seen.reads++) {
    const { content } = await client.ask(read).catch(() => ({ content: [] }))
    if (content?.[0]?.text === 'inside') seen.inside++
    if (content?.[0]?.text === 'secret') seen.leaks++
  }
  await swapper.terminate()
  await client.close()
  return seen
}

/** Turns at reading a small file. */
async function race(entries, { root }, plan) {
  writeFileSync(join(root, 'small.txt'), 'x'.repeat(1024))
  const path = join(root, 'small.txt')
  const sides = entries.map(({ name, which, command }) => ({
    name,
    command: command(root),
    asked: { read: callTool(which === 0 ? 'read_file' : 'read_text_file', { path }) },
  }))
  const { asked } = sides[0]
  const bare = { name: 'a bare loop', command: [process.execPath, BARE], asked }
  const unread = { name: 'a loop that reads nothing', command: [process.execPath, BARE, '--unread'], asked }
  const rows = await takeTurns([...sides, bare, unread], { ...plan, windows: [1, 16, 64, 256] })
  return rows.map(({ asked: { read }, ...row }) => ({ ...row, ...read }))
}

/** How often each reads where the official server reads once, by how many calls are under way. */
function timesAt(window, speed) {
  const peer = speed[1].ratesAt.get(window)
  return speed.map(({ ratesAt }) => median(ratesAt.get(window).map((rate, at) => rate / peer[at])))
}

function printWindows(speed) {
  const shown = (window) => {
    const times = timesAt(window, speed)
    return speed.map(
      ({ ratesAt }, at) => `${printNumber(median(ratesAt.get(window)))} (${times[at].toFixed(1)} ×)`,
    )
  }
  const windows = [...speed[0].ratesAt.keys()]
  return printTable(
    ['at once, calls/s', ...speed.map(({ name }) => name)],
    windows.map((window) => [`${window}`, ...shown(window)]),
  )
}

function report({ cases: [ours, theirs], swaps, speed, scale }) {
  const state = { yes: 'yes', no: 'no', none: '–' }
  console.log(
    printTable(
      ['case', 'ccmcp --full', 'server-filesystem'],
      ours.map(({ what, state: own }, at) => [what, state[own], state[theirs[at].state]]),
    ),
  )
  const count = (rows) => rows.filter((row) => row.state === 'yes').length
  console.log(`\n${count(ours)} and ${count(theirs)} of ${ours.length} cases\n`)
  console.log(
    printTable(
      ['while a folder is swapped', 'ccmcp --full', 'server-filesystem'],
      ['reads', 'inside', 'leaks'].map((what) => [what, ...swaps.map((one) => printNumber(one[what]))]),
    ),
  )
  const mib = (memory) => `${memory.toFixed(0)} MiB`
  console.log(
    `\n${printTable(
      [
        'a file of 1 KiB',
        'p50, one at a time',
        '16 at once, calls/s',
        'CPU of each',
        'generator',
        'memory idle',
        'after',
        'failed',
      ],
      speed.map(({ name, p50, rates, cpu, generator, idle, used, failed }) => [
        name,
        `${p50.toFixed(0)} µs`,
        printNumber(median(rates)),
        `${cpu.toFixed(0)} µs`,
        `${(generator * 100).toFixed(0)} % of a core`,
        mib(idle),
        mib(used),
        printNumber(failed),
      ]),
    )}`,
  )
  console.log(`\n${printWindows(speed)}\n`)
  const [times] = timesAt(16, speed)
  console.log(
    printTable(
      [`a folder of ${printNumber(scale.files)} files`, 'first page', 'longest ping meanwhile'],
      scale.rows.map(({ what, ms, ping }) => [what, `${ms.toFixed(0)} ms`, `${ping.toFixed(0)} ms`]),
    ),
  )
  const pages = scale.rows.filter(({ isWhole }) => !isWhole)
  const promise = (text, shown, isKept) => ({ text, shown, state: isKept ? 'kept' : 'not kept' })
  const kept = [
    promise('all cases', `${count(ours)} of ${ours.length}`, count(ours) === ours.length),
    promise('nothing leaks', `${swaps[0].leaks}`, swaps[0].leaks === 0),
    promise('at least 10 × its rate on small reads', times.toFixed(1), times >= 10),
    promise(
      'first pages under 200 ms',
      `${Math.max(...pages.map(({ ms }) => ms)).toFixed(0)} ms`,
      pages.every(({ ms }) => ms < 200),
    ),
    promise(
      'the loop is held for under 50 ms',
      `${Math.max(...pages.map(({ ping }) => ping)).toFixed(0)} ms`,
      pages.every(({ ping }) => ping < 50),
    ),
  ]
  console.log(`\n${printPromises(kept)}`)
  return kept
}
