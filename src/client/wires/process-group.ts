import { type ChildProcess, spawn } from 'node:child_process'
import { Pace } from '../pace.ts'

/** Whether a process that is started detached leads a group of its own; on Windows it has a window of its own. */
export const HAS_GROUPS = process.platform !== 'win32'

/** A process and all that it has started, unless they have left its group. */
export class ProcessGroup {
  readonly #leader: number | undefined
  /** When it was first told to go, by a clock that nobody sets. */
  #toldAt: number | undefined
  #isKilled = false

  constructor(leader: number | undefined) {
    this.#leader = leader
    if (leader === undefined) watcher().rest()
    else watcher().add(leader)
  }

  /** To be called before its leader is started: whoever kills this process while the watcher starts would leave it behind. */
  static prepare(): void {
    watcher().begin()
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (signal === 'SIGTERM' && this.#toldAt !== undefined) return // Many drop what they are saving at a second word.
    if (signal === 'SIGTERM') this.#toldAt = performance.now()
    else this.#release()
    this.#signal(signal)
  }

  /** Ends whatever its leader has left behind: whoever does not go when it is told is made to, so long after the first was. */
  async end(patienceMs: number): Promise<void> {
    if (this.#isKilled) return // Whoever is still to be seen has only not been taken leave of.
    this.kill('SIGTERM')
    const late = (this.#toldAt ?? 0) + patienceMs
    while (performance.now() < late && this.#signal(0))
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    this.kill('SIGKILL')
  }

  /** Nobody will be left to be watched. */
  #release(): void {
    this.#isKilled = true
    if (this.#leader !== undefined) watcher().delete(this.#leader)
  }

  /** Whether there is anybody left in it. */
  #signal(signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
    try {
      return this.#leader !== undefined && process.kill(-this.#leader, signal)
    } catch {
      return false
    }
  }
}

const LOOK_MS = 50

/**
 * Reads which groups there are, and ends them when nobody writes any more: then this process has been killed. A shell
 * takes a megabyte, where a process of our own kind would take forty.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=''
while read -r sign group; do
  others=''
  for one in $groups; do [ "$one" = "$group" ] || others="$others $one"; done
  groups="$others"
  [ "$sign" = '+' ] && groups="$groups $group"
done
[ -z "$groups" ] && exit
sleep 2
for one in $groups; do kill -s TERM -- "-$one" 2>/dev/null; done
sleep 2
for one in $groups; do kill -s KILL -- "-$one" 2>/dev/null; done
exit 0
`

/** Outlives this process, for as long as it takes to end what that has started. */
class Watcher {
  readonly #groups = new Set<number>()
  readonly #pace = new Pace({ firstMs: 1000, longestMs: 60_000, shortMs: 5000, atOnce: true })
  #shell: ChildProcess | undefined

  add(group: number): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.begin()
    else this.#shell.stdin?.write(`+ ${group}\n`)
  }

  delete(group: number): void {
    if (!this.#groups.delete(group)) return
    this.#shell?.stdin?.write(`- ${group}\n`)
    this.rest()
  }

  /** Lets the shell go where there is nobody to watch. */
  rest(): void {
    if (this.#groups.size > 0) return
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  begin(): void {
    if (this.#shell !== undefined) return
    const shell = this.#start()
    this.#shell = shell
    for (const group of this.#groups) shell.stdin?.write(`+ ${group}\n`)
    shell.once('exit', () => {
      if (this.#shell !== shell) return // It was let go.
      this.#shell = undefined
      setTimeout(() => this.#groups.size > 0 && this.begin(), this.#pace.next()).unref()
    })
  }

  #start(): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
    shell.on('error', () => {}) // Without a shell, children are ended as long as this process is.
    shell.stdin?.on('error', () => {})
    shell.unref()
    const stdin = shell.stdin as unknown as { unref?: () => void } | null // A pipe can be let go of.
    stdin?.unref?.()
    return shell
  }
}

let theWatcher: Watcher | undefined

function watcher(): Watcher {
  theWatcher ??= new Watcher()
  return theWatcher
}
