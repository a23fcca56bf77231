import { resolve } from 'node:path'
import type { Module } from '../authoring/define.ts'
import { describe, isObject } from '../kernel/index.ts'
import { importFile } from '../process/import-file.ts'
import { quietly } from '../process/quietly.ts'

/** Loads a module from a file of JavaScript or TypeScript: its default export, or one called `module`. */
export async function loadModule(path: string): Promise<Module> {
  try {
    const loaded = await quietly(() => importFile(resolve(path)))
    return checkModule(isObject(loaded) ? (loaded['default'] ?? loaded['module']) : loaded)
  } catch (error) {
    throw new Error(`module ${path} does not load: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checkModule(value: unknown): Module {
  if (!isObject(value))
    throw new TypeError(`expected a default export { name, tools }, got ${describe(value)}`)
  const { name, tools } = value
  if (typeof name !== 'string') throw new TypeError(`name: expected a string, got ${describe(name)}`)
  if (tools !== undefined && !Array.isArray(tools))
    throw new TypeError(`tools: expected an array, got ${describe(tools)}`)
  return value as unknown as Module // The server looks at each tool when it takes it.
}
