import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { printPage } from './page.ts'

const page = printPage()
const withoutPicture = page.replace(/data:image\/png;base64,[A-Za-z0-9+/=]+/, '')

it('is an HTML5 document with a title and a language', () => {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en"/)
  expect(page).toContain('<title>Phase of the Moon</title>')
  expect(page.trimEnd()).toMatch(/<\/html>$/)
})

it('needs nothing from anywhere', () => {
  expect(withoutPicture).not.toMatch(
    /https?:|\/\/[a-z]|@import|<link|<iframe|\bsrc=|fetch\(|XMLHttpRequest|import\(/i,
  )
  expect(
    [...withoutPicture.matchAll(/(?:url\(|href=)["']?(.)/g)].every(
      ([, first]) => first === '#' || first === '"',
    ),
  ).toBe(true)
})

it('runs under the policy of hosts: no handlers in attributes, no code from text', () => {
  expect(withoutPicture).not.toMatch(/\son[a-z]+=|javascript:|\beval\(|new Function|innerHTML/)
})

it('has a script that is one, and closes only once', () => {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
  expect(() => new Script(script)).not.toThrow()
  expect(page.match(/<\/script>/g)).toHaveLength(1)
})

it.each([
  ['2026-11-17T12:10:00Z', ''],
  ['2026-11-17T13:00:00Z', ' (in 1 hour)'],
  ['2026-11-18T11:00:00Z', ' (in 23 hours)'],
  ['2026-11-18T12:00:00Z', ' (in 1 day)'],
  ['2026-11-24T12:00:00Z', ' (in 7 days)'],
  ['2026-11-16T12:00:00Z', ''],
])('says how long it is until %s', (instant, said) => {
  const [functions] = /function when[\s\S]*?\n}\n\nfunction coming[\s\S]*?\n}\n/.exec(page) ?? []
  const told = new Script(`const context = {}; ${functions}; coming('${instant}', '2026-11-17T12:00:00Z')`)
  expect(String(told.runInNewContext()).replaceAll('\u00a0', ' ')).toMatch(
    new RegExp(`UTC${said.replace(/[()]/g, '\\$&')}$`),
  )
})

it('speaks the MCP Apps dialect', () => {
  expect(page).toContain('data-protocol-version=2026-01-26>')
  for (const method of [
    'ui/initialize',
    'ui/notifications/initialized',
    'ui/notifications/tool-result',
    'ui/notifications/size-changed',
    'ui/notifications/host-context-changed',
    'ui/resource-teardown',
  ]) {
    expect(page).toContain(`'${method}'`)
  }
})

it('follows the theme, light or dark', () => {
  expect(page).toContain('color-scheme: light dark')
})

it('is small', () => {
  expect(page.length).toBeLessThan(64_000)
})
