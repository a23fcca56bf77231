import { expect, it } from 'vitest'
import { checkBlocks, wrongBlock } from './blocks.ts'

it.each([
  { type: 'text', text: '' },
  { type: 'image', data: '', mimeType: '' },
  { type: 'audio', data: '', mimeType: '' },
  { type: 'resource', resource: { uri: 'a:b', text: '' } },
  { type: 'resource_link', uri: 'a:b', name: 'b' },
])('finds nothing wrong with %j', (block) => {
  expect(wrongBlock(block)).toBe(undefined)
})

const KINDS = '.type: expected one of text, image, audio, resource, resource_link, got'

it.each([
  ['text', ': expected a content block, got the string "text"'],
  [null, ': expected a content block, got null'],
  [{}, `${KINDS} nothing`],
  [{ type: 'constructor' }, `${KINDS} the string "constructor"`],
  [{ type: 'text' }, '.text: expected a string, got nothing'],
  [{ type: 'text', text: 1 }, '.text: expected a string, got the number 1'],
  [{ type: 'image', data: '' }, '.mimeType: expected a string, got nothing'],
  [{ type: 'resource' }, '.resource: expected { uri, text } or { uri, blob }, got nothing'],
  [
    { type: 'resource', resource: 'a:b' },
    '.resource: expected { uri, text } or { uri, blob }, got the string "a:b"',
  ],
])('says what is wrong with %j', (block, wrong) => {
  expect(wrongBlock(block)).toBe(wrong)
})

it('names the tool and the place', () => {
  expect(() => checkBlocks([{ type: 'text', text: '' }, 7], 'add')).toThrow(
    'The tool add gave content[1]: expected a content block, got the number 7',
  )
  expect(() => checkBlocks([{ type: 'text', text: '' }], 'add')).not.toThrow()
})
