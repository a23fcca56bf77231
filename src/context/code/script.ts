import {
  type Call,
  Fault,
  needs,
  type Sandbox,
  type SandboxedScript,
  type ScriptCall,
  type ScriptStep,
  type SettledCall,
} from '../../kernel/index.ts'
import { LARGE, ownTurn } from '../../process/own-turn.ts'
import { type KeptScript, keepScript, keysOf, questionsOf, type WaitingCall } from './kept.ts'
import { answerCall, type CallOutcome, makeCall } from './made-call.ts'
import { type MadeCall, reportEnd, reportFailure, told } from './report.ts'
import type { Scripts } from './scripts.ts'

export interface ScriptOptions {
  readonly call: Call
  readonly sandbox: Sandbox
  readonly scripts: Scripts
  readonly kept?: KeptScript
}

/** How long a script that waits keeps its place while others wait for one. */
const PATIENCE_MS = 200

/** A script at work: it runs in its sandbox until it waits, and its calls are made here. */
export class Script {
  readonly #options: ScriptOptions
  #running: SandboxedScript | undefined
  /** What it is while its place is somebody else's. */
  #parked: Uint8Array | undefined
  readonly #made: { name: string; outcome: MadeCall['outcome'] }[]
  readonly #waiting: WaitingCall[] = []
  readonly #underway = new Set<Promise<void>>()
  #settled: SettledCall[] = []
  /** The length of what was parsed since others had a turn. */
  #parsed = 0

  constructor(options: ScriptOptions) {
    this.#options = options
    this.#made = options.kept?.made.map((one) => ({ ...one })) ?? []
  }

  /** Gives what `run` gives: a result, or what the user is asked. */
  async begin(code: string): Promise<unknown> {
    const { sandbox, call } = this.#options
    return this.#run(() => sandbox.begin(code, call.owner, call.signal))
  }

  /** Goes on with the answers that the call has come back with. */
  async resume({ image, waiting }: KeptScript): Promise<unknown> {
    const { sandbox, call } = this.#options
    return this.#run(async () => {
      const script = await sandbox.resume(Buffer.from(image, 'base64'), call.owner, call.signal)
      for (const one of waiting) {
        const answers = Object.entries(keysOf(one)).map(([outer, key]) => [key, call.answers[outer]])
        const given = { asked: one.asked, answers: Object.fromEntries(answers) }
        await this.#giveWay(one)
        this.#follow(one, one.round, answerCall(call, one, given))
      }
      return script
    })
  }

  async #run(open: () => Promise<SandboxedScript>): Promise<unknown> {
    const { call } = this.#options
    const stop = () => this.#leave()
    call.signal.addEventListener('abort', stop)
    try {
      this.#enter(await open())
      return await this.#steps()
    } catch (error) {
      this.#leave()
      if (!call.aborted) await Promise.all(this.#underway)
      return reportFailure((error as Error).message, this.#made) // Of the sandbox, in words of ours.
    } finally {
      call.signal.removeEventListener('abort', stop)
      this.#leave()
    }
  }

  async #steps(): Promise<unknown> {
    for (;;) {
      const step = await this.#go()
      await this.#begin(step.calls)
      if (step.end !== undefined) return this.#end(step.end)
      await this.#news()
      if (this.#settled.length > 0) continue
      return this.#waiting.length > 0 ? this.#suspend() : reportFailure(STUCK, this.#made)
    }
  }

  async #go(): Promise<ScriptStep> {
    const { call, sandbox } = this.#options
    if (this.#parked !== undefined) {
      const image = this.#parked
      this.#parked = undefined
      this.#enter(await sandbox.resume(image, call.owner, call.signal))
    }
    if (this.#running === undefined || call.aborted) throw new Error(CANCELLED)
    const step = await this.#running.go(this.#settled.splice(0), call.server.platform.now())
    const { usage } = call.server
    usage.saw('maxScriptMs', Math.ceil(step.used?.milliseconds ?? 0))
    usage.saw('maxScriptMemoryBytes', step.used?.memoryBytes ?? 0)
    return step
  }

  async #begin(calls: readonly ScriptCall[]): Promise<void> {
    const { call } = this.#options
    const { usage } = call.server
    for (const { id, name } of calls) this.#made[id - 1] = { name, outcome: 'not made' }
    usage.saw(
      'maxScriptStepBytes',
      calls.reduce((sum, { args }) => sum + args.length, 0),
    )
    for (const one of calls) {
      usage.saw('maxScriptArgumentsBytes', one.args.length)
      await this.#giveWay(one)
      this.#follow(one, 0, makeCall(call, one))
    }
  }

  /** Others have a turn before what takes long to parse. */
  async #giveWay({ args }: ScriptCall): Promise<void> {
    this.#parsed += args.length
    if (this.#parsed <= LARGE) return
    await ownTurn()
    this.#parsed = args.length
    if (this.#options.call.aborted) throw new Error(CANCELLED)
  }

  #follow(made: ScriptCall, round: number, coming: Promise<CallOutcome>): void {
    const followed = coming.then((outcome) => {
      this.#underway.delete(followed)
      this.#take(made, round, outcome)
    })
    this.#underway.add(followed)
  }

  #take({ id, name, args }: ScriptCall, round: number, outcome: CallOutcome): void {
    if ('asked' in outcome) {
      this.#waiting.push({ id, name, args, asked: outcome.asked, round: round + 1 })
      return
    }
    const ended = 'value' in outcome ? 'ok' : outcome.unmade === true ? 'not made' : 'failed'
    this.#made[id - 1] = { name, outcome: ended }
    this.#settled.push('value' in outcome ? this.#fitting(id, outcome.value) : { id, error: outcome.error })
  }

  /** What would fill its memory is not handed to it. */
  #fitting(id: number, value: string): SettledCall {
    const { maxScriptMemoryBytes: limit } = this.#options.call.server.budgets
    return value.length * 4 <= limit
      ? { id, value }
      : { id, error: `The result is too long for a script: at most ${limit / 4} bytes, got ${value.length}` }
  }

  /** Waits until something has come of a call, if any is under way. */
  async #news(): Promise<void> {
    const { call, sandbox } = this.#options
    let stays: string | undefined
    let inTheWayMs = 0
    while (this.#settled.length === 0 && this.#underway.size > 0) {
      await this.#pause()
      if (this.#settled.length > 0 || !sandbox.isCrowded) continue
      stays ??= await this.#park()
      if (stays === undefined || sandbox.hasMost?.(call.owner) !== true) continue
      inTheWayMs += PATIENCE_MS
      if (inTheWayMs > call.server.budgets.maxScriptMs) throw new Error(`${IN_THE_WAY}: ${stays}`)
    }
  }

  async #pause(): Promise<void> {
    let callOff = () => {}
    const pause = new Promise<void>((resolve) => {
      callOff = this.#options.call.server.platform.after(PATIENCE_MS, resolve)
    })
    await Promise.race([...this.#underway, pause])
    callOff()
  }

  /** Lets another script have the place of one that waits; says why it cannot be moved, where it stays. */
  async #park(): Promise<string | undefined> {
    try {
      this.#parked ??= await this.#running?.save()
      this.#leave()
    } catch (error) {
      return (error as Error).message // Of the sandbox, in words of ours.
    }
  }

  /** What cannot be kept fails, and says so; what is wrong with the store is for the log. */
  async #suspend(): Promise<unknown> {
    const { call, sandbox, scripts } = this.#options
    const image = this.#parked ?? (await this.#running?.save().catch((error: Error) => error))
    if (!(image instanceof Uint8Array)) return reportFailure(image?.message ?? CANCELLED, this.#made)
    call.server.usage.saw('maxScriptKeptBytes', image.length)
    const kept = {
      engine: sandbox.engine,
      image: Buffer.from(image).toString('base64'),
      made: this.#made,
      waiting: this.#waiting,
    }
    try {
      const state = { script: await keepScript(call, kept, scripts) }
      return needs(questionsOf(kept), { state, done: told(this.#made) })
    } catch (error) {
      if (error instanceof Fault) return reportFailure(error.message, this.#made)
      call.crashed(error)
      return reportFailure(UNKEPT, this.#made)
    }
  }

  /** Calls that nobody waits for are made all the same, and told of. */
  async #end(end: NonNullable<ScriptStep['end']>): Promise<unknown> {
    this.#leave()
    await Promise.all(this.#underway)
    const { usage } = this.#options.call.server
    usage.saw('maxScriptCalls', this.#made.length)
    usage.saw('maxScriptLogBytes', end.log.length)
    if ('value' in end) usage.saw('maxScriptOutputBytes', end.value?.length ?? 0)
    return reportEnd(end, this.#made)
  }

  #enter(script: SandboxedScript): void {
    this.#running = script
    this.#options.scripts.running++
  }

  #leave(): void {
    if (this.#running === undefined) return
    this.#running.leave()
    this.#running = undefined
    this.#options.scripts.running--
  }
}

const CANCELLED = 'The script was cancelled'

const IN_THE_WAY =
  'It waited for a call in a place for which others waited who had fewer, and could not be put aside'

const UNKEPT = 'It asks its user, and could not be kept until they have answered: the store is away'

const STUCK = 'It waits for something that never comes: only calls of tools can be waited for'
