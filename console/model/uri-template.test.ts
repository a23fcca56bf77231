import { describe, expect, it } from 'vitest'
import { expand, variablesOf } from './uri-template.ts'

describe('a URI template', () => {
  it('has its variables, each once', () => {
    expect(variablesOf('a://{x}/{+y,x}{?q*,r:3}')).toEqual(['x', 'y', 'q', 'r'])
  })

  it.each([
    ['a://{x}', 'a://b%20c%2Fd'],
    ['a://{+x}', 'a://b%20c/d'],
    ['a:{?x,y}', 'a:?x=b%20c%2Fd'],
    ['a:{/x}{#z}', 'a:/b%20c%2Fd'],
    ['a:{x:1}', 'a:b'],
  ])('%s becomes %s', (template, uri) => {
    expect(expand(template, { x: 'b c/d' })).toBe(uri)
  })
})
