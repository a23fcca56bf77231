import { answer, type RawRequest } from './raw-answers.ts'

/** The limit on stdio: parse, switch, print, one write for each chunk that came. */
let parts: string[] = []
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  parts.push(chunk)
  if (!chunk.includes('\n')) return
  const lines = parts.join('').split('\n')
  parts = [lines.pop() ?? '']
  let unsent = ''
  const say = (notice: string) => {
    unsent += `${notice}\n`
  }
  for (const line of lines) {
    const asked = JSON.parse(line) as RawRequest
    if (asked.id === undefined) continue
    const text = answer(asked, say)
    unsent += `${text}\n`
  }
  process.stdout.write(unsent)
})
