import { describe, isObject } from '../kernel/index.ts'
import type { Module } from './define.ts'

/**
 * The module under a name of its own: its tools and prompts are called `name_tool` and `name_prompt`. URIs stay as they
 * are, since links, pages and subscriptions speak of them.
 * @example const ours = mount('ours', defineModule({ name: 'sums', tools: [tool] }))
 */
export function mount(name: string, module: Module): Module {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    throw new TypeError(`mount: expected a name of 1 to 64 of A-Z a-z 0-9 _ - ., got ${describe(name)}`)
  }
  if (typeof module === 'function') {
    throw new TypeError(`mount: expected a module, got a function: mount(${JSON.stringify(name)}, f(…))`)
  }
  if (!isObject(module)) throw new TypeError(`mount: expected a module, got ${describe(module)}`)
  return { ...module, name, prefix: `${name}_${module.prefix ?? ''}` }
}
