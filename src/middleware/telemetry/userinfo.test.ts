import { expect, it } from 'vitest'
import { hideUserinfo } from './userinfo.ts'

/** The same in one expression after the other, each of which looks far ahead from every colon. */
function hideSlowly(text: string): string {
  const version =
    /(?:[v^~]?\d+(?:\.\d+){0,2}|\d+\.\d+\.\d+[-+][\w.+-]{1,64}|sha\d+[:-][\w+/=]{1,128})(?!\w|\.\w)/
  const bare = `(?<!\\b(?:pkg|mailto|acct|xmpp|sips?)):(?!\\/|\\d+\\/|PASSWORD@HOST)[^\\s"'\\\\]{1,512}@(?=[^\\s@])(?!${version.source})`
  return text
    .replace(/:\/\/(?!(?:USER)?:PASSWORD@HOST)[^/\s]+@/g, '://#@')
    .replace(/:\/\/[^/\s:@"'\\]{1,256}:(?!\d+\/|PASSWORD@HOST)[^\s"'\\]{1,512}@(?=[^\s@])/g, '://#@')
    .replace(new RegExp(bare, 'g'), ':#@')
}

const PIECES = [
  ...[':', '://', '@', '/', ' ', '"', '\\', 'a', 'b', '1', '12/', '1.2.3', 'v4', '1.0.0-rc.1', '.4', '\n'],
  ...['pkg', 'mailto', 'sip', 'PASSWORD@HOST', 'USER', 'sha256:ab', 'x'.repeat(255), 'y'.repeat(257)],
]

it('finds the same as expressions that look far ahead', () => {
  let seed = 7
  const pick = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return PIECES[Math.floor(seed / 65536) % PIECES.length] ?? ''
  }
  for (let round = 0; round < 30_000; round++) {
    const text = Array.from({ length: 3 + (round % 14) }, pick).join('')
    expect([text, hideUserinfo(text, '#')]).toEqual([text, hideSlowly(text)])
  }
})
