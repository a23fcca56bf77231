import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

it.each([
  [
    'a line that 64 KiB end in',
    `${'#'.repeat(64 * 1024 - 8)}\nkept.txt.bak\n`,
    ['.gitignore', 'kept.txt', 'last'],
  ],
  ['a rule of a thousand letters and more', `${'x'.repeat(1001)}\nlast\n`, ['.gitignore', 'kept.txt']],
  ['more than two thousand rules', `${'kept.txt\n'.repeat(2000)}last\n`, ['.gitignore', 'last']],
])('says so where %s is not read', async (_what, rules, entries) => {
  const desk = await FileDesk.open({ root: createFolder({ '.gitignore': rules, 'kept.txt': '', last: '' }) })
  expect(await desk.data('directory_tree')).toEqual({ entries })
  for (const tool of ['directory_tree', 'search_files'])
    expect(await desk.say(tool, tool === 'search_files' ? { name: '*' } : {})).toContain(
      'Not all rules of .gitignore were read: at most 2000 hold in a directory, of 1000 characters each, from 64 KiB of a file',
    )
})

it('says nothing of rules that were read', async () => {
  const desk = await FileDesk.open({ root: createFolder({ '.gitignore': '# x\n\n/\n!\nlast\n', last: '' }) })
  expect(await desk.say('directory_tree')).toBe('.gitignore')
})
