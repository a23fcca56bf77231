import { isObject } from '../../kernel/index.ts'

/** What a reference within a schema leads to. */
export function resolve(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined
  const fragment = decode(reference.slice(1))
  if (fragment === '') return root
  return fragment?.startsWith('/') ? byPointer(fragment, root) : byAnchor(fragment ?? '', root)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // No schema has such a place.
  }
}

function byPointer(pointer: string, root: unknown): unknown {
  const steps = pointer.slice(1).split('/')
  return steps.reduce((at: unknown, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) return at[Number(name)]
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}

/** Anchors stand where definitions do. */
function byAnchor(anchor: string, root: unknown): unknown {
  if (!isObject(root)) return undefined
  const definitions = [root['$defs'], root['definitions']].filter(isObject).flatMap(Object.values)
  return definitions.find(
    (one) => isObject(one) && (one['$anchor'] === anchor || one['$id'] === `#${anchor}`),
  )
}
