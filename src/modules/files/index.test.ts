import { expect, it } from 'vitest'
import { files } from './index.ts'

const module = files({ root: '.' })

it('offers three tools under their names', () => {
  expect(module.name).toBe('files')
  expect(module.tools.map((tool) => tool.name)).toEqual(['read_file', 'write_file', 'list_directory'])
})

it('says that only writing changes anything, and that nothing leaves the machine', () => {
  const [read, write, list] = module.tools
  expect(read.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
  expect(list.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
  expect(write.annotations).toMatchObject({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
  })
})

it('takes no argument that it does not name', () => {
  for (const { input } of module.tools) {
    expect(input).toMatchObject({ type: 'object', additionalProperties: false })
    expect(input.required).toEqual(Object.keys(input.properties))
  }
})

it('does not take an empty root for the working directory', () => {
  expect(() => files({ root: '' })).toThrow(TypeError)
})
