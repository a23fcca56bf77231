import { resolve } from 'node:path'
import type { Module } from '../authoring/define.ts'
import { describe, isObject } from '../kernel/index.ts'
import { importFile } from '../process/import-file.ts'
import { quietly } from '../process/quietly.ts'
import { explainLoading } from '../process/syntax-error.ts'
import { checkFile } from './path-setting.ts'

/** Loads a module from a file of JavaScript or TypeScript: its default export, or one called `module`. */
export async function loadModule(path: string): Promise<Module> {
  const file = resolve(checkFile('module', path))
  try {
    const loaded = await quietly(() => importFile(file))
    return checkModule(isObject(loaded) ? (loaded['default'] ?? loaded['module']) : loaded)
  } catch (error) {
    const { said, where } = explainLoading(file, error)
    throw new Error(`module ${path} does not load: ${said}${where}`, { cause: error })
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
