import { isObject } from '../../kernel/index.ts'

/** What a reference leads to within its own schema; undefined where that is nothing, or stands elsewhere. */
export function targetOf(ref: string, root: unknown): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  return ref.slice(2).split('/').map(unescaped).reduce(stepInto, root)
}

function stepInto(at: unknown, step: string): unknown {
  if (Array.isArray(at)) return at[Number(step)]
  return isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
}

/** What is escaped wrongly is meant as it stands. */
function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
