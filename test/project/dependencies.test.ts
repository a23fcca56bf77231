import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8'),
) as { packages: { readonly [path: string]: Locked } }

it('installs nothing for users that runs a script of its own', () => {
  const scripted = Object.entries(packages).filter(
    ([, { dev, hasInstallScript }]) => hasInstallScript && !dev,
  )
  // The first entry is the project itself, whose scripts run in a clone alone.
  expect(scripted.map(([path]) => path).filter((path) => path !== '')).toEqual([])
})

it('carries the licence of what it carries of others', () => {
  const parts = join(import.meta.dirname, '..', '..', 'dist', 'parts')
  const [engine] = readdirSync(parts)
    .map((file) => readFileSync(join(parts, file), 'utf8'))
    .filter((text) => text.includes('SearchLunarEclipse') && text.length > 50_000)
  expect(engine).toContain('Copyright (c) 2019-2023 Don Cross')
})
