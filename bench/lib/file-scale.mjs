import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connect } from '../../dist/client/index.js'

const WIDE = 50_000

/** How long the first pages take in a folder with very many files, and how long a ping waits meanwhile. */
export async function fileScale({ files, command }) {
  const root = mkdtempSync(join(tmpdir(), 'perigee-scale-'))
  try {
    fillFolder(root, files)
    const [program, ...args] = command(root)
    const client = await connect({ command: program, args }, { revision: '2025-06-18' })
    const rows = await measureAll(client, root)
    await client.close()
    return { files, rows }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Half of them in one folder, the others in folders of a hundred. */
function fillFolder(root, files) {
  const wide = Math.min(WIDE, files / 2)
  mkdirSync(join(root, 'wide'))
  for (let n = 0; n < wide; n++) writeFileSync(join(root, 'wide', `w${n}.txt`), `file ${n}\n`)
  for (let n = 0; n < files - wide; n++) {
    const folder = join(root, `d${Math.floor(n / 1000)}`, `e${Math.floor(n / 100) % 10}`)
    if (n % 100 === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `f${n}.ts`), `export const value${n} = ${n}\n`)
  }
}

async function measureAll(client, root) {
  const call = (name, args) => () => client.callTool(name, args)
  const works = {
    directory_tree: call('directory_tree', { path: root }),
    'directory_tree of the wide folder': call('directory_tree', { path: join(root, 'wide') }),
    'list_directory of the wide folder': call('list_directory', { path: join(root, 'wide') }),
    'search_files by name, *.ts': call('search_files', { path: root, name: '*.ts' }),
    'search_files by text': call('search_files', { path: root, text: 'value' }),
    'search_files by expression': call('search_files', { path: root, pattern: 'value\\d+7 =' }),
    'subscribe, and hear of a change': () => hearOfChange(client, join(root, 'wide', 'w7.txt')),
  }
  await client.callTool('read_file', { path: join(root, 'wide', 'w7.txt') })
  const rows = []
  for (const [what, work] of Object.entries(works)) {
    const times = []
    for (let round = 0; round < 5; round++) times.push(await timed(client, work))
    // The first may wait for the disk; what is told is the middle one, and the longest ping of all.
    times.sort((one, other) => one.ms - other.ms)
    const row = { what, ms: times[2].ms, ping: Math.max(...times.map(({ ping }) => ping)) }
    console.error(`  ${what}: ${row.ms.toFixed(0)} ms, ping ${row.ping.toFixed(0)} ms`)
    rows.push(row)
  }
  const began = performance.now()
  await client.callTool('search_files', { path: root, text: 'is nowhere' })
  rows.push({
    what: 'search_files by text that is nowhere (all files, or 10 s)',
    ms: performance.now() - began,
    ping: 0,
    isWhole: true,
  })
  return rows
}

async function timed(client, work) {
  let isDone = false
  const pings = (async () => {
    let longest = 0
    while (!isDone) {
      const began = performance.now()
      await client.request('ping')
      longest = Math.max(longest, performance.now() - began)
    }
    return longest
  })()
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  isDone = true
  return { ms, ping: await pings }
}

async function hearOfChange(client, path) {
  await new Promise((resolve, reject) => {
    client.subscribe(pathToFileURL(path).href, () => resolve()).then(() => appendFileSync(path, '!'), reject)
  })
}
