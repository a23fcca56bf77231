import type { ChangedTool } from '../../src/kernel/index.ts'
import { isRecord } from '../model/json.ts'
import { keyOf } from './stream.ts'

/** What has changed of a tool since somebody approved it. */
export async function readChange(upstream: string, tool: string): Promise<ChangedTool> {
  return (await ask('change', { upstream, tool }, 'GET')) as unknown as ChangedTool // Our own server's.
}

/** Has a changed tool served as it was shown; the server refuses if it has become something else meanwhile. */
export async function approveChange(upstream: string, { tool, hash }: ChangedTool): Promise<void> {
  await ask('approve', { upstream, tool, hash }, 'POST')
}

async function ask(path: string, asked: Record<string, string>, method: 'GET' | 'POST'): Promise<object> {
  const response = await fetch(`console/${path}?${new URLSearchParams(asked)}`, {
    method,
    headers: { authorization: `Bearer ${keyOf(location.hash)}` },
    cache: 'no-store',
  })
  const value: unknown = await response.json().catch(() => undefined)
  if (response.ok && isRecord(value)) return value
  throw new Error(isRecord(value) ? String(value['error']) : `The server answers ${response.status}`)
}
