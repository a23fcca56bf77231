import { expect, it } from 'vitest'
import { createFolder, FileDesk } from './desk.ts'

const LINES = Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`)

it('reads lines of a file, from its beginning or from its end', async () => {
  const root = createFolder({ 'a.txt': 'one\ntwo\nthree', 'b.txt': 'one\ntwo\n', 'c.txt': '' })
  const desk = await FileDesk.open({ root })
  const read = (path: string, part: object) => desk.say('read_file', { path, ...part })
  expect(await read('a.txt', { startLine: 2 })).toBe('two\nthree')
  expect(await read('a.txt', { endLine: 2 })).toBe('one\ntwo\n')
  expect(await read('a.txt', { startLine: 2, endLine: 2 })).toBe('two\n')
  expect(await read('a.txt', { startLine: 4 })).toBe('')
  expect(await read('a.txt', { startLine: -2 })).toBe('two\nthree')
  expect(await read('b.txt', { startLine: -1 })).toBe('two\n')
  expect(await read('b.txt', { startLine: -9 })).toBe('one\ntwo\n')
  expect(await read('c.txt', { startLine: 1, endLine: 9 })).toBe('')
})

it('reads parts of a file that is too large to be read as a whole', async () => {
  const text = `${LINES.map((line) => line.padEnd(99)).join('\n')}\n`
  const root = createFolder({ 'large.txt': text })
  const desk = await FileDesk.open({ root })
  const read = (part: object) => desk.say('read_file', { path: 'large.txt', ...part })
  expect(await read({})).toMatch(/^error: large\.txt is too large: 2000000 bytes.*startLine.*offset/)
  expect(await read({ startLine: 12_345, endLine: 12_346 })).toBe(text.slice(1_234_400, 1_234_600))
  expect(await read({ startLine: -3 })).toBe(text.slice(-300))
  expect(await read({ offset: 1_999_990 })).toBe(text.slice(-10))
  expect(await read({ offset: 100, length: 6 })).toBe('line 2')
  expect(await read({ offset: 3_000_000 })).toBe('')
  expect(await read({ startLine: 1 })).toMatch(
    /^error: large\.txt: lines 1 to \d+ have more than 1048576 bytes/,
  )
  expect(await read({ startLine: -15_000 })).toMatch(/^error: .*its last 15000 lines have more than/)
})

it('says which part it cannot read', async () => {
  const root = createFolder({ 'a.txt': 'x', 'bytes.bin': Buffer.from([0xe2, 0x82, 0xac, 0x80]) })
  const desk = await FileDesk.open({ root })
  const read = (part: object) => desk.say('read_file', { path: 'a.txt', ...part })
  expect(await read({ startLine: 0 })).toBe(
    'error: startLine: expected 1 for the first line or -1 for the last, got 0',
  )
  expect(await read({ startLine: 3, endLine: 2 })).toBe('error: endLine: expected 3 or more, got 2')
  expect(await read({ startLine: -3, endLine: 2 })).toContain('error: endLine: ')
  expect(await read({ startLine: 1, offset: 2 })).toContain('got both')
  expect(await desk.say('read_file', { path: 'bytes.bin', length: 3 })).toBe('€')
  expect(await desk.say('read_file', { path: 'bytes.bin' })).toBe('error: bytes.bin is not UTF-8 text')
})

it('gives pictures and sounds as such, and text as text, whatever it is called', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const root = createFolder({
    'a.png': png,
    'b.wav': Buffer.alloc(8),
    'c.png': 'no picture',
    'd.svg': '<svg/>',
  })
  const desk = await FileDesk.open({ root })
  const content = async (path: string) => (await desk.client.callTool('read_file', { path })).content
  expect(await content('a.png')).toEqual([
    { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
  ])
  expect(await content('b.wav')).toMatchObject([{ type: 'audio', mimeType: 'audio/wav' }])
  expect(await content('c.png')).toEqual([{ type: 'text', text: 'no picture' }])
  expect(await content('d.svg')).toEqual([{ type: 'text', text: '<svg/>' }])
})

it('reads several files at once, and says of each that cannot be read why', async () => {
  const root = createFolder({
    'a.txt': 'A',
    'b.png': Buffer.from([0x89]),
    'big.txt': 'x'.repeat(1024 * 1024),
  })
  const desk = await FileDesk.open({ root })
  const { content, isError } = await desk.client.callTool('read_files', {
    paths: ['a.txt', 'no.txt', 'b.png', '../x', 'big.txt'],
  })
  expect(isError).not.toBe(true)
  expect(content.map((block) => (block.type === 'text' ? block.text : block.type))).toEqual([
    '==> a.txt <==\nA',
    '==> no.txt <==\nno.txt was not found',
    '==> b.png <==\n',
    'image',
    '==> ../x <==\n../x contains "..", which could lead outside the root',
    '==> big.txt <==\nThere is no room for it here: read it by itself',
  ])
  expect((await desk.client.callTool('read_files', { paths: ['no.txt'] })).isError).toBe(true)
})

it('tells what a path is', async () => {
  const root = createFolder({ 'docs/a.md': 'text' })
  const desk = await FileDesk.open({ root })
  expect(await desk.data('file_info', { path: 'docs/a.md' })).toMatchObject({
    path: 'docs/a.md',
    kind: 'file',
    bytes: 4,
    mimeType: 'text/markdown',
    modified: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(await desk.data('file_info', { path: '.' })).toMatchObject({ kind: 'directory' })
  expect(await desk.say('file_info', { path: 'no' })).toBe('error: no was not found')
})
