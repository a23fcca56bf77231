import { cut } from './text.ts'

/** What is wrong with a number, or with one in a JSON text: a page keeps no digits beyond those of a double. */
export function inexact(text: string): string | undefined {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const found = bare.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)?.find((one) => !isExact(one))
  if (found === undefined) return undefined
  return `${cut(found, 40)} would become ${Number(found)} here: write it as text, if that is taken`
}

function isExact(literal: string): boolean {
  const value = Number(literal)
  if (!Number.isFinite(value)) return false
  return !/^-?\d+$/.test(literal) || BigInt(literal) === BigInt(value)
}
