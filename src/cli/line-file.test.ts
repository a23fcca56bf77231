import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LineFile } from './line-file.ts'

it('begins anew after half a line, as a full disk leaves one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lines-'))
  try {
    const path = join(folder, 'audit.log')
    const lines = new LineFile(path, { loses: 'lines are lost', complain: () => {} })
    lines.add('{"a":1}')
    lines.close()
    appendFileSync(path, '{"b":')
    lines.add('{"c":3}')
    lines.add('{"d":4}')
    lines.close()
    expect(readFileSync(path, 'utf8').split('\n')).toEqual(['{"a":1}', '{"b":', '{"c":3}', '{"d":4}', ''])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
