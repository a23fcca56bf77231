import { isObject, type Server } from '../kernel/index.ts'

/** Throws a TypeError when a tool names a page that the server does not have: a host would show nothing. */
export function checkViews(server: Server): Server {
  for (const { key, listed } of server.tools) {
    const uri = viewOf(listed['_meta'])
    if (uri === undefined || isOffered(uri, server)) continue
    throw new TypeError(
      `The tool ${key} is shown by ${JSON.stringify(uri)}, which is no resource of this server`,
    )
  }
  return server
}

function viewOf(meta: unknown): unknown {
  const ui = isObject(meta) ? meta['ui'] : undefined
  return isObject(ui) ? ui['resourceUri'] : undefined
}

function isOffered(uri: unknown, { resources, templates }: Server): boolean {
  if (typeof uri !== 'string') return false
  return resources.has(uri) || [...templates].some(({ template }) => template.match(uri) !== undefined)
}
