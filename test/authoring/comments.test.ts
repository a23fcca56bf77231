import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DIST, findDeclared, passedOn } from './declared.ts'

const exported = passedOn(join(DIST, 'index.d.ts'))

it('finds what is exported', () => {
  expect(exported.length).toBeGreaterThan(60)
})

it.each(exported.map((one) => [one.name, one] as const))(
  '%s is explained where an editor shows it',
  (_name, { own, file }) => {
    expect(findDeclared(own, file).before.trimEnd()).toMatch(/\*\/$/)
  },
)
