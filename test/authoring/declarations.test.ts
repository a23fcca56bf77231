import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const DIST = join(import.meta.dirname, '..', '..', 'dist')
const declarations = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.d.ts'),
)

it('every declaration that another one refers to is published', () => {
  for (const file of declarations) {
    const text = readFileSync(join(DIST, file), 'utf8')
    for (const [, to = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      expect(declarations, file).toContain(join(dirname(file), to).replace(/\.ts$/, '.d.ts'))
    }
  }
})
