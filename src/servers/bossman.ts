import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { defineServer } from '../authoring/define-server.ts'
import { type Dialect, VERSION } from '../kernel/index.ts'
import { journal } from '../modules/journal/index.ts'
import { taskList } from '../modules/task-list/index.ts'
import { openTaskStore } from '../modules/task-list/open-task-store.ts'
import type { ReadyServer, ServerContext, Setting } from './ready-server.ts'
import { taskListUrl } from './task-list-url.ts'

const DIALECT: Partial<Dialect> = {
  ready: 'after-initialized',
  reopening: 'refused',
  ids: 'numbers',
}

/** Where programs of a user keep their data, unless the user chose another place. */
const DATA_HOMES: { readonly [platform: string]: Pick<Setting, 'environment' | 'fallback'> } = {
  darwin: { fallback: join(homedir(), 'Library', 'Application Support') },
  win32: { environment: 'APPDATA', fallback: join(homedir(), 'AppData', 'Roaming') },
}

const DATA_HOME: Pick<Setting, 'environment' | 'fallback'> = DATA_HOMES[platform()] ?? {
  environment: 'XDG_DATA_HOME',
  fallback: join(homedir(), '.local', 'share'),
}

/** A task list that lasts. */
export const bossman: ReadyServer = {
  name: 'bossman',
  summary: 'a task list for a person and their agents, kept in a file',
  commands: {
    names: ['list', 'add', 'done', 'edit', 'show', 'export'],
    summary: 'the same list at a terminal; --help after each of them',
  },
  transport: 'stdio',
  logLevel: 'warning',
  settings: {
    tasks: {
      environment: 'BOSSMAN_STORE',
      placeholder: 'URL',
      description:
        'where tasks are kept: sqlite:PATH, postgres://…, memory:; unless given, where --store says, or below data-home',
    },
    zone: {
      environment: 'BOSSMAN_ZONE',
      placeholder: 'ZONE',
      description:
        'the time zone of whoever the list is of, such as Europe/Berlin; unless given, the one of this process',
    },
    'data-home': { ...DATA_HOME, placeholder: 'DIR', description: 'the folder of the user’s data' },
  },
  http: {},
  storeIs: 'task-list',
  create: (context) => {
    const { modules, budgets, unscoped, shown, nodes, atStart } = context
    const { store, note } = openList(context)
    atStart?.(() => store.get(''))
    const server = defineServer({
      name: 'bossman',
      version: VERSION,
      budgets,
      unscoped,
      ...shown,
      ...nodes,
      title: 'Bossman',
      instructions:
        'A task list that lasts. Find tasks with list_tasks, and refer to them by their id. Where several agents share it, claim_task before you work on one. Ask before you delete any.',
      modules: [
        ...modules,
        { ...taskList({ store, ...zoneOf(context) }), close: () => store.close() },
        journal(),
      ],
      dialect: DIALECT,
      logLevel: 'off',
    })
    if (note !== undefined) server.observe({ kind: 'noted', level: 'warning', message: note })
    return server
  },
}

function zoneOf({ settings: { zone } }: ServerContext) {
  return zone === undefined ? {} : { zone }
}

/** Only the folder of the default file is made: a missing one that somebody named is a slip of the pen. */
function openList(context: ServerContext) {
  const otherwise = `sqlite:${join(context.settings['data-home'] ?? '', 'bossman', 'tasks.db')}`
  const { url, note } = taskListUrl(context, { otherwise, file: 'own' })
  return { store: openTaskStore(url, url === otherwise ? { folder: 'make' } : {}), note }
}
