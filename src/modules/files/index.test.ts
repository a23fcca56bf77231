import { expect, it } from 'vitest'
import type { ToolAnnotations } from '../../kernel/index.ts'
import { files } from './index.ts'

const BASIC = ['read_file', 'write_file', 'list_directory']
const READING = [
  'read_file',
  'read_files',
  'list_directory',
  'directory_tree',
  'search_files',
  'file_info',
  'list_roots',
]
const WRITING = ['write_file', 'edit_file', 'create_directory', 'move_file', 'copy_file']

interface Seen {
  readonly name: string
  readonly annotations: ToolAnnotations
  readonly scopes: readonly string[]
  readonly input: { readonly additionalProperties: boolean; readonly required?: readonly string[] }
}

const toolsOf = (options: Partial<Parameters<typeof files>[0]>) =>
  files({ root: '.', ...options }).tools as unknown as readonly Seen[] // As they are written.

it('offers three tools under their names, unless it is told to offer all', () => {
  expect(toolsOf({}).map(({ name }) => name)).toEqual(BASIC)
  expect(files({ root: '.' }).templates).toBeUndefined()
  expect(
    toolsOf({ extent: 'full' })
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...READING, ...WRITING].sort())
})

it('leaves out what changes anything where it may only read', () => {
  expect(toolsOf({ readonly: true }).map(({ name }) => name)).toEqual(['read_file', 'list_directory'])
  expect(
    toolsOf({ readonly: true, extent: 'full' })
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...READING].sort())
})

it('says of each tool whether it changes anything, that nothing leaves the machine, and what a caller needs', () => {
  for (const { name, annotations, scopes, input } of toolsOf({ extent: 'full' })) {
    const reads = READING.includes(name)
    expect(annotations, name).toMatchObject({ readOnlyHint: reads, openWorldHint: false })
    expect(typeof annotations.destructiveHint, name).toBe(reads ? 'undefined' : 'boolean')
    expect(scopes, name).toEqual([reads ? 'files:read' : 'files:write'])
    expect(input.additionalProperties, name).toBe(false)
  }
})

it('asks for no more than its document does', () => {
  expect(toolsOf({}).map(({ input }) => input.required)).toEqual([['path'], ['path', 'content'], ['path']])
})

it('does not take an empty root for the working directory', () => {
  for (const root of ['', [], ['.', '']]) expect(() => files({ root })).toThrow(TypeError)
})
