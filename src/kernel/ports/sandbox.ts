/** How far a script may go. Lengths are those of its texts. */
export interface ScriptLimits {
  /** How long it may run itself; the time in which it waits for calls is not counted. */
  readonly milliseconds: number
  readonly memoryBytes: number
  readonly calls: number
  /** What the arguments of one call may be, as JSON. */
  readonly argumentBytes: number
  /** What those of all calls of one step may be together. */
  readonly stepBytes: number
  readonly outputBytes: number
  readonly logBytes: number
  /** What it may take to keep it while it waits. */
  readonly imageBytes: number
  /** How many may run at once; further ones wait for their turn. */
  readonly threads: number
}

/** A call that a script makes, its arguments as JSON. */
export interface ScriptCall {
  /** Its number, from 1. */
  readonly id: number
  readonly name: string
  readonly args: string
}

/** What came of a call: its value as JSON, or why there is none. */
export type SettledCall =
  | { readonly id: number; readonly value: string }
  | { readonly id: number; readonly error: string }

/** What a script has come to. */
export type ScriptEnd =
  | { readonly value: string | undefined }
  | { readonly error: string; readonly line?: number | undefined; readonly column?: number | undefined }

/** How far a script has come: the calls that it has made since it was last looked at, and its end if it has ended. */
export interface ScriptStep {
  readonly calls: readonly ScriptCall[]
  readonly end?: ScriptEnd & {
    /** What it has logged, and how many lines there was no room for. */
    readonly log: string
    readonly unlogged: number
  }
  /** What it has taken so far, where its sandbox can tell. */
  readonly used?: { readonly milliseconds: number; readonly memoryBytes: number }
}

/** A script in a sandbox. One that goes past a limit, or whose sandbox fails, ends with an error. */
export interface SandboxedScript {
  /** Tells it what has come of its calls, and has it run until it waits or ends; `now` is what its clock shows. */
  go(settled: readonly SettledCall[], now: number): Promise<ScriptStep>
  /** All that it is, to be gone on with later or elsewhere; rejects where that is more than may be kept. */
  save(): Promise<Uint8Array>
  /** It is not gone on with here, whether or not it has ended. */
  leave(): void
}

/** A place where scripts run that can do nothing but compute and call. */
export interface Sandbox {
  /** What scripts that it has saved can be gone on with by: the same engine in the same version. */
  readonly engine: string
  /** Whether somebody waits for a turn. */
  readonly isCrowded: boolean
  /** Whether nobody runs more, and somebody waits who runs fewer. */
  hasMost?(owner: string): boolean
  /** Waits for its turn, in which those come first whose owners run least; whoever is called off waits no longer. */
  begin(code: string, owner: string, signal: AbortSignal): Promise<SandboxedScript>
  resume(image: Uint8Array, owner: string, signal: AbortSignal): Promise<SandboxedScript>
  close(): Promise<void>
}

/** Opens a sandbox; rejects with a sentence where there is none. */
export type OpenSandbox = (limits: ScriptLimits) => Promise<Sandbox>
