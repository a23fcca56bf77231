// The reference: a page of Markdown for each entry of the package, made of its declarations and their comments.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEntries } from './entries.mjs'
import { createModuleReader } from './modules.mjs'
import { createUses } from './uses.mjs'

const KINDS = [
  { title: 'Functions, classes and values', holds: ({ kind }) => kind !== 'type' },
  { title: 'Types', holds: ({ kind }) => kind === 'type' },
]

/** A page for each entry; what only some runtimes have is said beside what it stands for. */
export function createReference(root) {
  const read = createModuleReader()
  const all = readEntries(root, read)
  const entries = all.filter(({ condition }) => condition === undefined)
  const worker = all.find(({ condition }) => condition === 'workerd')
  const inWorkers = new Set(worker?.exports.map(({ name }) => name))
  const places = placesOf(entries)
  const usersOf = createUses(
    read,
    entries.flatMap((entry) => entry.exports),
  )
  return entries.map((entry) => {
    const path = pathOf(entry.name)
    const nameHref = (name) => hrefOf(places, { path, name })
    return {
      path,
      title: entry.name,
      markdown: write(root, entry, { inWorkers, usersOf, nameHref }),
      made: 'the declarations that the package publishes',
      part: 'Reference',
      listed: true,
      exact: true,
      nameHref,
    }
  })
}

export function pathOf(entry) {
  return `reference/${entry.replace('perigee/', '').replaceAll('/', '-')}.html`
}

/** Where each name is explained: in the first entry that has it, unless the page at hand has it, too. */
function placesOf(entries) {
  const places = new Map()
  for (const { name: entry, exports } of entries) {
    for (const { name } of exports) places.set(name, [...(places.get(name) ?? []), pathOf(entry)])
  }
  return places
}

function hrefOf(places, { path, name }) {
  const known = places.get(name)
  if (known === undefined) return undefined
  return known.includes(path) ? `#${name}` : `${known[0].replace('reference/', '')}#${name}`
}

function write(root, entry, context) {
  const parts = KINDS.map(({ title, holds }) => ({ title, exports: entry.exports.filter(holds) }))
  const body = parts
    .filter(({ exports }) => exports.length > 0)
    .flatMap(({ title, exports }) => [
      `## ${title}`,
      ...exports.map((one) => writeExport(entry, one, context)),
    ])
  return [`# ${entry.name}`, headOf(root, entry), ...body].join('\n\n')
}

/** What stands at the top of the entry's own file. */
function headOf(root, { file, name }) {
  const [line = ''] = readFileSync(join(root, file), 'utf8').split('\n')
  const [, comment = ''] = /^\/\*\* (.*) \*\/$/.exec(line) ?? []
  return `${comment}\n\n\`\`\`ts\nimport { … } from '${name}'\n\`\`\``
}

function writeExport(entry, one, { inWorkers, usersOf, nameHref }) {
  const { name, text, comment, examples, kind, key } = one
  const parts = [`### ${name}`, comment, fence(text)]
  for (const example of examples) parts.push('Example:', fence(example))
  if (examples.length === 0) parts.push(seenIn(usersOf(key), nameHref))
  if (entry.name === 'perigee' && kind !== 'type' && !inWorkers.has(name)) parts.push('Not in Workers.')
  return parts.join('\n\n')
}

function fence(text) {
  return `\`\`\`ts\n${text}\n\`\`\``
}

/** Where a type that has no example of its own is seen at work: here, if that can be. */
function seenIn(users, nameHref) {
  const names = [...new Set(users.map(({ name }) => name))]
  const links = names.map((name) => ({ name, href: nameHref(name) }))
  const here = links.filter(({ href }) => href?.startsWith('#'))
  const shown = (here.length > 0 ? here : links).slice(0, 5)
  return `Seen at work in ${shown.map(({ name, href }) => `[${name}](${href})`).join(', ')}.`
}
