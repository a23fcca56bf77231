import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

const OUT = join(import.meta.dirname, '..', '..', 'dist', 'console')
const read = (file: string) => readFileSync(join(OUT, file), 'utf8')

it('has a console whose page weighs no more than 60 kB', () => {
  const bytes = ['index.html', 'app.js', 'app.css'].map((file) => gzipSync(read(file), { level: 9 }).length)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(60_000)
})

it('has a page without a script, a style or an address of others in it', () => {
  const page = read('index.html')
  expect(page).not.toMatch(/<style|\son\w+=|<script(?![^>]*\ssrc=)/)
  expect([...page.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, to]) => to)).toEqual([
    'console/app.css',
    'console/app.js',
  ])
})

it('never makes elements or code of text', () => {
  const sinks =
    /dangerouslySetInnerHTML\s*:\s*\{|\.innerHTML\s*=\s*["'`]|insertAdjacentHTML|document\.write|\beval\(|new Function\b/
  expect(read('app.js')).not.toMatch(sinks)
  expect(read('app.css')).not.toMatch(/url\(|@import/)
})
