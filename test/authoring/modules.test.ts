import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineServer, type Module } from '../../src/index.ts'
import { basics } from '../../src/modules/basics/index.ts'
import { countdown } from '../../src/modules/countdown/index.ts'
import { files } from '../../src/modules/files/index.ts'
import { greeting } from '../../src/modules/greeting/index.ts'
import { introspection } from '../../src/modules/introspection/index.ts'
import { journal } from '../../src/modules/journal/index.ts'
import { moon } from '../../src/modules/moon/index.ts'
import { primer } from '../../src/modules/primer/index.ts'
import { skills } from '../../src/modules/skills/index.ts'
import { stats } from '../../src/modules/stats/index.ts'
import { openTaskStore, taskList } from '../../src/modules/task-list/index.ts'
import { templates } from '../../src/modules/templates/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import { writing } from '../../src/modules/writing/index.ts'

/** The compiler sees to it that each makes a module of at most one object of options. */
const BARE: { readonly [folder: string]: (options?: never) => Module } = {
  basics,
  countdown,
  greeting,
  introspection,
  journal,
  moon,
  primer,
  stats,
  'task-list': taskList,
  templates,
  writing,
}
const ROOTED: { readonly [folder: string]: (options: { readonly root: string }) => Module } = {
  files,
  skills,
}

describe('the modules that are ready', () => {
  it('are all functions, called as their folders are', () => {
    const folders = readdirSync(join(import.meta.dirname, '../../src/modules')).sort()
    const made = [
      ...Object.entries(BARE).map(([folder, make]) => ({ folder, make, module: make() })),
      ...Object.entries(ROOTED).map(([folder, make]) => ({ folder, make, module: make({ root: '.' }) })),
      { folder: 'upstream', make: upstream, module: upstream('upstream', { command: 'true' }) },
    ]
    expect(made.map(({ folder }) => folder).sort()).toEqual(folders)
    for (const { folder, make, module } of made) {
      expect(make.name).toBe(folder.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase()))
      expect(module.name).toBe(folder)
    }
  })

  it('are made anew for each server', () => {
    for (const make of Object.values(BARE)) expect(make()).not.toBe(make())
  })

  it('may be listed without being called, if they need nothing', () => {
    const server = defineServer({ name: 's', version: '1', modules: [moon, journal] })
    expect([...server.tools].map(({ key }) => key)).toEqual(['moonphase'])
    expect(() => defineServer({ name: 's', version: '1', modules: [files as never] })).toThrow(
      'modules[0]: expected a module, got a function: call it, files(…)',
    )
  })
})

describe('a task list', () => {
  it('closes the store that it has opened, and no other', async () => {
    const closed: string[] = []
    const given = { ...openTaskStore('memory:'), close: async () => void closed.push('given') }
    const bring = (store: typeof given | string) =>
      defineServer({ name: 's', version: '1', modules: [taskList({ store })] })
    await bring(given).close()
    expect(closed).toEqual([])
    expect(taskList({ store: 'memory:' }).close).toBeTypeOf('function')
    expect(() => taskList({ store: 'tasks.db' })).toThrow('sqlite:PATH')
  })
})
