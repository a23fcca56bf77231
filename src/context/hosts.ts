import type { Implementation } from '../kernel/index.ts'

/**
 * Clients that search among tools themselves, by the names they give at the beginning: tools that were hidden from them
 * would be missing from their index. Claude Code and VS Code say so in their documentation, OpenAI in that of its API.
 */
const SEARCHING: readonly RegExp[] = [
  /^claude-code$/i,
  /^visual studio code/i,
  /^(openai-mcp|codex-mcp-client)/i,
]

export function searchesItself(info: Implementation | undefined): boolean {
  const name = info?.name
  return typeof name === 'string' && SEARCHING.some((one) => one.test(name))
}
