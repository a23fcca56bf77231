import { gunzipSync, gzipSync } from 'node:zlib'
import { JSException, type JSValueHandle, MAX_STACK_SIZE, QuickJS, type QuickJSOptions } from 'quickjs-wasi'
import type { ScriptEnd, ScriptLimits, ScriptStep, SettledCall } from '../kernel/index.ts'
import { PRELUDE } from './prelude.ts'

/** What scripts are called in their errors. */
const FILE = 'script.js'

/** Where the way in and the time used stand before what is saved of a machine. */
const HEADER_BYTES = 12

interface SandboxClock {
  /** What the machine is told, in nanoseconds. */
  now: bigint
  /** When the script has run for long enough. */
  until: number
  overran: boolean
  /** What the machine lives in, once it is made. */
  memory?: { readonly buffer: ArrayBufferLike }
}

/** A machine of its own for one script, which has no way out: it is entered, and looked at. */
export class Vm {
  readonly #limits: ScriptLimits
  readonly #clock: SandboxClock
  readonly #machine: QuickJS
  readonly #enter: JSValueHandle
  /** What has not begun yet. */
  #code: string | undefined
  #usedMs = 0
  #failed: ScriptEnd | undefined

  private constructor(
    limits: ScriptLimits,
    made: { clock: SandboxClock; machine: QuickJS; enter: JSValueHandle },
  ) {
    this.#limits = limits
    this.#clock = made.clock
    this.#machine = made.machine
    this.#enter = made.enter
  }

  /** Its random numbers follow from what its clock shows while it is made, which is a random number. */
  static async create(wasm: object, limits: ScriptLimits): Promise<Vm> {
    const [seed = 0n] = crypto.getRandomValues(new BigUint64Array(1))
    const clock: SandboxClock = { now: seed >> 2n, until: Number.POSITIVE_INFINITY, overran: false }
    const machine = await QuickJS.create(optionsOf(wasm, limits, clock))
    const prelude = machine.evalCode(PRELUDE, 'prelude.js')
    const given = machine.hostToHandle(limits)
    const enter = machine.callFunction(prelude, machine.undefined, given)
    return new Vm(limits, { clock, machine, enter })
  }

  static async restore(image: Uint8Array, wasm: object, limits: ScriptLimits): Promise<Vm> {
    const header = new DataView(image.buffer, image.byteOffset, HEADER_BYTES)
    const snapshot = QuickJS.deserializeSnapshot(gunzipSync(image.subarray(HEADER_BYTES)))
    const clock: SandboxClock = { now: 0n, until: Number.POSITIVE_INFINITY, overran: false }
    const machine = await QuickJS.restore(snapshot, optionsOf(wasm, limits, clock))
    const vm = new Vm(limits, { clock, machine, enter: machine.importHandle(header.getUint32(0)) })
    vm.#usedMs = header.getFloat64(4)
    return vm
  }

  begin(code: string): void {
    this.#code = code
  }

  go(settled: readonly SettledCall[], now: number): ScriptStep {
    this.#clock.now = BigInt(Math.trunc(now)) * 1_000_000n
    const step = this.#run(() => {
      if (this.#code !== undefined) this.#start(this.#code)
      if (settled.length > 0) this.#enterWith('settle', this.#machine.newString(print(settled)))
      this.#machine.executePendingJobs()
      return this.#look()
    })
    return { ...step, used: this.#used }
  }

  get #used(): NonNullable<ScriptStep['used']> {
    const bytes = this.#clock.memory?.buffer.byteLength ?? 0
    return { milliseconds: this.#usedMs, memoryBytes: Math.min(bytes, this.#limits.memoryBytes) }
  }

  save(): Uint8Array {
    this.#machine.runGC()
    const packed = gzipSync(QuickJS.serializeSnapshot(this.#machine.snapshot()), { level: 1 })
    if (packed.length > this.#limits.imageBytes)
      throw new Error(
        `What it holds is too much to be kept while it waits: at most ${this.#limits.imageBytes} bytes, got ${packed.length} (--max-script-kept)`,
      )
    const image = new Uint8Array(HEADER_BYTES + packed.length)
    const header = new DataView(image.buffer)
    header.setUint32(0, this.#machine.exportHandle(this.#enter))
    header.setFloat64(4, this.#usedMs)
    image.set(packed, HEADER_BYTES)
    return image
  }

  leave(): void {
    this.#machine.dispose()
  }

  #start(code: string): void {
    this.#code = undefined
    this.#enterWith('start', this.#machine.evalCode(`(async (tools, console) => {\n${code}\n})`, FILE))
  }

  #enterWith(what: string, given: JSValueHandle): void {
    const machine = this.#machine
    machine.callFunction(this.#enter, machine.undefined, machine.newString(what), given).dispose()
  }

  #look(): ScriptStep {
    const machine = this.#machine
    const seen = machine.callFunction(this.#enter, machine.undefined, machine.newString('look'))
    const { calls, end } = JSON.parse(seen.consume((text) => text.toString())) // As the prelude writes it.
    if (end === undefined) return { calls }
    const { value, error, stack, log, unlogged } = end
    return { calls, end: { ...(error === undefined ? { value } : this.#told(error, stack)), log, unlogged } }
  }

  /** Counts the time, and makes an end of whatever stops the machine. */
  #run(enter: () => ScriptStep): ScriptStep {
    if (this.#failed !== undefined) return ended(this.#failed)
    const began = performance.now()
    this.#clock.until = began + this.#limits.milliseconds - this.#usedMs
    try {
      const step = enter()
      if (!this.#clock.overran) return step
    } catch (error) {
      if (!this.#clock.overran) this.#failed = this.#explain(error)
    } finally {
      this.#usedMs += performance.now() - began
    }
    this.#failed ??= { error: `It ran for more than ${this.#limits.milliseconds} ms (--max-script-ms)` }
    return ended(this.#failed)
  }

  #explain(error: unknown): ScriptEnd {
    if (error instanceof JSException) return this.#told(`${error.name}: ${error.message}`, error.stack)
    return this.#told((error as Error).message) // Of the machine or of Node.
  }

  #told(error: string, stack = ''): ScriptEnd {
    const [, line, column] = PLACE.exec(stack) ?? []
    const place = line === undefined ? {} : { line: Number(line) - 1, column: Number(column) }
    const isFull = error.endsWith('out of memory')
    return {
      error: isFull ? `${error}: at most ${this.#limits.memoryBytes} bytes (--max-script-memory)` : error,
      ...place,
    }
  }
}

/** The first place of a script in a stack, whose line above the first is ours. */
const PLACE = /script\.js:(\d+):(\d+)/

function ended(end: ScriptEnd): ScriptStep {
  return { calls: [], end: { ...end, log: '', unlogged: 0 } }
}

/** As one text, in which values are what they are. */
function print(settled: readonly SettledCall[]): string {
  const printed = settled.map((one) =>
    'error' in one ? JSON.stringify(one) : `{"id":${one.id},"value":${one.value}}`,
  )
  return `[${printed.join(',')}]`
}

function optionsOf(wasm: object, limits: ScriptLimits, clock: SandboxClock): QuickJSOptions {
  return {
    wasm,
    memoryLimit: limits.memoryBytes,
    // Else a function that calls itself without end breaks the machine, which says nothing of where.
    maxStackSize: MAX_STACK_SIZE / 2,
    timezoneOffset: 0,
    interruptHandler: () => {
      clock.overran ||= performance.now() > clock.until
      return clock.overran
    },
    wasi: (memory) => {
      clock.memory = memory
      return {
        clock_time_get(_clock, _precision, place) {
          new DataView(memory.buffer).setBigUint64(place, clock.now, true)
          return 0
        },
      }
    },
  }
}
