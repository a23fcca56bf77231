import {
  type Call,
  checkOptionalString,
  checkString,
  cut,
  type Extension,
  Fault,
  type JsonObject,
  listCache,
  type Result,
} from '../../kernel/index.ts'
import { ownTurn } from '../../process/own-turn.ts'
import { describeFile } from './describe-file.ts'
import type { Library, Skill } from './library.ts'
import { pageOf } from './page.ts'
import { SKILLS } from './resources.ts'
import { parseUri, printUri } from './uri.ts'

export function skillsExtension(library: Library): Extension {
  return {
    id: 'io.modelcontextprotocol/skills',
    settings: { directoryRead: true },
    handshake: false,
    scopes: SKILLS,
    methods: {
      'skills/list': (call: Call) => listSkills(library, call),
      'skills/get': (call: Call) => getSkill(library, call),
      'resources/directory/read': (call: Call) => readDirectory(library, call),
    },
  }
}

/** An entry can name 512 files, so a page of them is shorter than other pages. */
const MOST_A_PAGE = 50

/** So many files make a page that keeps others waiting while it is printed. */
const MANY = 500

async function listSkills(library: Library, call: Call): Promise<Result> {
  const cursor = checkOptionalString(call.params, 'cursor')
  const { pageSize } = call.server.settings
  const { skills } = await library.look()
  const all = [...skills.values()].map((skill) => ({ uri: printUri(skill.file.path), skill }))
  const { items, next } = pageOf(all, { list: 'skills', cursor, size: Math.min(pageSize, MOST_A_PAGE) })
  const entries: SkillEntry[] = []
  for (const { skill } of items) {
    const entry = await describeSkill(library, skill)
    if (entry !== undefined) entries.push(entry)
  }
  // Those who share a look come here together, and each has all of it printed.
  if (entries.reduce((sum, { resources }) => sum + resources.length, 0) > MANY) await ownTurn()
  return { skills: entries, ...next, ...listCache(call) }
}

async function getSkill(library: Library, call: Call): Promise<Result> {
  const uri = checkString(call.params, 'uri')
  const path = parseUri(uri)
  const found = path === undefined ? undefined : (await library.lookFor(path, call)).skills.get(path)
  const skill = found && (await describeSkill(library, found))
  if (skill === undefined) throw nothingAt(uri, 'Unknown skill')
  return { skill, ...listCache(call) }
}

async function readDirectory(library: Library, call: Call): Promise<Result> {
  const uri = checkString(call.params, 'uri')
  const cursor = checkOptionalString(call.params, 'cursor')
  const path = parseUri(uri)
  const shelves = path === undefined ? undefined : await library.lookFor(path, call)
  const folder = path === undefined ? undefined : shelves?.folders.get(path)
  if (folder === undefined) throw nothingAt(uri, 'Not a directory of a skill')
  const children = [
    ...folder.folders.map(({ name, path }) => ({ uri: printUri(path), name, mimeType: 'inode/directory' })),
    ...folder.files.map((file) => describeFile(file, shelves?.skills.get(file.path))),
  ]
  const list = printUri(folder.path)
  const { items, next } = pageOf(children, { list, cursor, size: call.server.settings.pageSize })
  return { resources: items, ...next }
}

function nothingAt(uri: string, what: string): Fault {
  const shown = cut(uri)
  return new Fault('invalidParams', `${what}: ${shown}`, { uri: shown })
}

/** Of those who share a look each has the same, which is made once. */
const DESCRIBED = new WeakMap<Skill, Promise<SkillEntry | undefined>>()

function describeSkill(library: Library, skill: Skill): Promise<SkillEntry | undefined> {
  const described = DESCRIBED.get(skill) ?? makeEntry(library, skill)
  DESCRIBED.set(skill, described)
  return described
}

interface SkillEntry extends JsonObject {
  readonly resources: readonly JsonObject[]
}

/** Undefined when its SKILL.md went away meanwhile. */
async function makeEntry(library: Library, skill: Skill): Promise<SkillEntry | undefined> {
  const resources: JsonObject[] = []
  for (const file of skill.files) {
    const fingerprint = await library.fingerprint(file)
    if (fingerprint !== undefined) resources.push({ uri: printUri(file.path), ...fingerprint })
    else if (file === skill.file) return undefined
  }
  return { uri: printUri(skill.file.path), frontmatter: skill.frontmatter, resources }
}
