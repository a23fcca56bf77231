/** One command of a line of shell, without redirections, comments and what the shell itself does. */
export interface Line {
  readonly program: string
  readonly args: readonly string[]
}

/** The commands of a script, those behind `--` and behind `npx` among them. */
export function linesOf(script: string): readonly Line[] {
  return script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => commandsIn(wordsOf(line)))
}

/** Words with their quotes off; `&&`, `|` and `;` are words of their own, and a comment is none. */
function wordsOf(line: string): readonly string[] {
  const found = line.matchAll(/(?<=^|\s)#.*$|(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"|;&])+|&&|\|\||[|;&]/g)
  return [...found]
    .map(([word]) => word)
    .filter((word) => !word.startsWith('#'))
    .map(unquoted)
}

function unquoted(word: string): string {
  return /^(['"]).*\1$/.test(word) ? word.slice(1, -1) : word
}

function commandsIn(words: readonly string[]): readonly Line[] {
  const end = words.findIndex((word) => /^(&&|\|\||[|;&])$/.test(word))
  if (end >= 0) return [...commandsIn(words.slice(0, end)), ...commandsIn(words.slice(end + 1))]
  const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const [program, ...rest] = start < 0 ? [] : words.slice(start)
  if (program === undefined) return []
  const redirected = rest.findIndex((word) => /^\d?[<>]/.test(word))
  const args = redirected < 0 ? rest : rest.slice(0, redirected)
  return [{ program, args }, ...inner(program, args)]
}

/** What a command starts in turn. */
function inner(program: string, args: readonly string[]): readonly Line[] {
  if (program === 'npm') return [] // What follows its dashes are arguments of a script.
  const dashes = args.indexOf('--')
  const after =
    dashes < 0 ? [] : commandsIn(args.slice(dashes + 1)).filter(({ program: one }) => !one.startsWith('-'))
  if (program !== 'npx') return after
  const named = args.findIndex((word, at) => !word.startsWith('-') && args[at - 1] !== '--package')
  const started = named < 0 || args[named] !== 'perigee' ? [] : commandsIn(args.slice(named))
  return [...started, ...(started.length > 0 ? [] : after)]
}
