import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

export interface Command {
  readonly command: string
  readonly args: string[]
}

export const SAMPLE: Command = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'sample-server.mjs')],
}

export function ccmcp(root: string): Command {
  return { command: process.execPath, args: [join(ROOT, 'dist/cli/bin/ccmcp.js'), '--root', root] }
}

export interface Notice {
  readonly method: string
  readonly params?: { readonly [name: string]: unknown } | undefined
}

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onprogress?: (progress: Progress) => void
}

interface Named {
  readonly name: string
}

/** What both generations of the official client can do, in one shape; the results are as the client gives them. */
export interface Host {
  /** The revision that was agreed on. */
  readonly revision: string | undefined
  readonly server: Named | undefined
  readonly instructions: string | undefined
  readonly pid: number | null
  listTools(): Promise<{ readonly tools: readonly Named[] }>
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>
  listTemplates(): Promise<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>
  listPrompts(): Promise<{ readonly prompts: readonly Named[] }>
  callTool(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<object>
  readResource(uri: string): Promise<object>
  getPrompt(name: string, args: Record<string, string>): Promise<object>
  complete(ref: Reference, argument: { name: string; value: string }): Promise<object>
  /** Asks to be told of changes of the lists and of one resource, in the way of the revision. */
  subscribe(uri: string): Promise<Subscription>
  /** Waits for a notice, which may have come already. */
  hears(method: string): Promise<Notice>
  close(): Promise<void>
}

export interface Subscription {
  /** Says how it came to an end, where the client is told. */
  readonly closed: Promise<string>
  end(): Promise<void>
}

export type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

export const CLIENT_INFO = { name: 'real-client', version: '1.0.0' }

export const ROOTS = { roots: [{ uri: 'file:///project', name: 'project' }] }

export const JOKE = {
  role: 'assistant' as const,
  content: { type: 'text' as const, text: 'Knock, knock.' },
  model: 'small',
}

export const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

/** How the person at the client answers a form, or a page to open. */
export type Person = (asked: { readonly params: { readonly message: string } }) => {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number>
}

/** Keeps notices until somebody asks for them. */
export class Notices {
  readonly #heard: Notice[] = []
  readonly #waiting = new Set<() => void>()

  hear(notice: Notice): void {
    this.#heard.push(notice)
    for (const wake of this.#waiting) wake()
  }

  async next(method: string): Promise<Notice> {
    for (;;) {
      const at = this.#heard.findIndex((notice) => notice.method === method)
      const [found] = at < 0 ? [] : this.#heard.splice(at, 1)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }
}
