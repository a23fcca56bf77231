import type { ScriptLimits, ScriptStep, SettledCall } from '../kernel/index.ts'

/** What a thread is started with. */
export interface ThreadData {
  /** QuickJS, compiled once for all. */
  readonly wasm: object
  readonly limits: ScriptLimits
}

/** What a thread is told to do, one thing after the other. */
export type ThreadRequest =
  | { readonly op: 'begin'; readonly code: string }
  | { readonly op: 'resume'; readonly image: Uint8Array }
  | { readonly op: 'go'; readonly settled: readonly SettledCall[]; readonly now: number }
  | { readonly op: 'save' }
  | { readonly op: 'leave' }

/** What it answers to all of it but `leave`. */
export type ThreadReply =
  | { readonly ready: true }
  | { readonly step: ScriptStep }
  | { readonly image: Uint8Array }
  | { readonly failed: string }
