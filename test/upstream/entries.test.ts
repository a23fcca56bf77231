import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUpstreams } from '../../src/cli/gateway/read-upstreams.ts'
import { UsageError } from '../../src/cli/usage-error.ts'

let file = ''

beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'perigee-entries-')), 'hosts.json')
})

afterAll(() => rmSync(join(file, '..'), { recursive: true }))

const read = (servers: unknown) => {
  writeFileSync(file, JSON.stringify({ mcpServers: servers }))
  return readUpstreams([file])
}

/** What is said of an entry, after its file and its name. */
function refusalOf(entry: object): string {
  try {
    return JSON.stringify(read({ a: entry }))
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    const { message } = error as Error
    expect(message.slice(0, file.length + 3)).toBe(`${file}: a`)
    return message.slice(file.length + 3)
  }
}

describe('what an entry says of its tools', () => {
  it.each([
    [{ exclude_tools: ['die'] }, ['!die']],
    [{ 'disabled-tools': ['die'] }, ['!die']],
    [{ enabled_tools: ['echo'] }, ['echo']],
    [{ excludeTools: [] }, undefined],
    [{ includeTools: [] }, []],
    [{ includeTools: [], excludeTools: ['die'] }, []],
    [{ tools: ['!die'], enabledTools: [] }, []],
  ])('is read however it is spelled, and of an empty list none is served: %j', (more, tools) => {
    expect(read({ a: { command: 'x', ...more } })['a']?.tools).toEqual(tools)
  })

  it.each([
    [{ excludeTools: 'die' }, ': excludeTools: expected an array, got the string "die"'],
    [{ disabled_tools: { die: true } }, ': disabled_tools: expected an array, got an object'],
    [{ includeTools: [5] }, ': includeTools[0]: expected a string, got the number 5'],
    [{ tools: 'echo' }, ': tools: expected an array, got the string "echo"'],
    [{ disabled: 'true' }, ': disabled: expected true or false, got the string "true"'],
    [{ disabled: 1 }, ': disabled: expected true or false, got the number 1'],
    [{ enabled: 'false' }, ': enabled: expected true or false, got the string "false"'],
    [
      { excludeTools: ['a'], exclude_tools: ['b'] },
      ': excludeTools and exclude_tools are one key. Keep one of them',
    ],
  ])('is refused where it cannot be read: %j', (more, message) => {
    expect(refusalOf({ command: 'x', ...more })).toBe(message)
  })
})
