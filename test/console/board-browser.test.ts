import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defineServer } from '../../src/authoring/define-server.ts'
import { taskList } from '../../src/modules/task-list/index.ts'
import { createMemoryTasks } from '../../src/modules/task-list/stores/memory.ts'
import { PATIENCE_MS, useBrowser } from '../setup/browser.ts'
import { aTask } from '../task-list/contract.ts'
import { violations, visit } from './visit.ts'

const browser = useBrowser()

const LATER = '2099-01-01T00:00:00.000Z'

async function createList() {
  const store = createMemoryTasks()
  const [pack, drive, ring] = [
    aTask({ description: 'Pack the books', tags: ['home'], due: '2026-11-20' }),
    aTask({ description: 'Ring <b>Ann</b>', priority: 'urgent' }),
    aTask({ description: 'Find a flat', priority: 'high' }),
  ]
  for (const task of [pack, drive, ring]) await store.add(task)
  await store.add(aTask({ description: 'Drive over', blockedBy: [pack.id] }))
  await store.claim({ id: pack.id, by: 'robot', at: LATER.replace('2099', '2026'), until: LATER })
  await store.update({ id: ring.id, at: LATER, changes: { status: 'done' } })
  return { store, pack, server: defineServer({ name: 's', version: '1', modules: [taskList({ store })] }) }
}

describe('the board of a task list', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['light', 1360],
    ['dark', 360],
  ] as const)(
    'shows tasks in columns, moves them and hears of changes: %s, %i pixels wide',
    async (colorScheme, width) => {
      const { store, server, pack } = await createList()
      await using at = await visit(browser(), { server, colorScheme, viewport: { width, height: 860 } })
      const { page } = at
      if (width < 900)
        await page.getByRole('navigation', { name: 'Parts of the page' }).getByText('Catalogue').click()
      await page.getByRole('button', { name: 'Board of tasks' }).click()
      const column = (name: string) => page.getByRole('region', { name, exact: true })
      await expect
        .poll(() => column('In progress').innerText())
        .toMatch(/Pack the books[\s\S]*due 2026-11-20[\s\S]*@robot/)
      expect(await column('To do').innerText()).toMatch(
        /To do 2[\s\S]*Drive over[\s\S]*waits for 1[\s\S]*Ring <b>Ann<\/b>/,
      )
      expect(await column('Done').innerText()).toContain('Find a flat')
      if (process.env['PICTURES'] !== undefined)
        await page.screenshot({ path: join(process.env['PICTURES'], `board-${colorScheme}-${width}.png`) })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      expect(await violations(page)).toEqual([])

      await column('In progress').getByRole('button', { name: 'Move right: Pack' }).click()
      await expect.poll(() => column('Done').innerText()).toContain('Pack the books')
      expect(await store.get(pack.id)).toMatchObject({ status: 'done' })
      await page.getByRole('textbox', { name: 'New task' }).fill('Buy tape')
      await page.keyboard.press('Enter')
      await expect.poll(() => column('To do').innerText()).toContain('Buy tape')
      await page.getByRole('searchbox', { name: 'Search' }).fill('driv')
      await expect.poll(() => column('To do').innerText()).not.toContain('Buy tape')
      expect(await column('To do').innerText()).toContain('Drive over')
      expect(at.complaints).toEqual([])
    },
  )
})
