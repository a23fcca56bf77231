import type { ClientCommand, Talk } from '../client/command.ts'
import { bytesOf, printContents } from '../client/content.ts'
import { oneLine } from '../client/printable.ts'
import { UsageError } from '../usage-error.ts'

/** Reads a resource, or lists them. */
export const read: ClientCommand = {
  name: 'read',
  summary: 'reads a resource of any MCP server, or lists them',
  words: '[URI]',
  example: 'perigee read file:///notes.txt -- npx -y some-server > notes.txt',
  settings: {},
  prepare({ words: [uri, ...more] }) {
    if (more.length > 0) throw new UsageError(`expected one URI at most, got ${[uri, ...more].join(', ')}`)
    return uri === undefined ? list : (talk) => readOne(talk, uri)
  },
}

/** A program that reads stdout gets it byte for byte. */
async function readOne({ client, output, options }: Talk, uri: string): Promise<void> {
  const result = await client.read(uri, options)
  if (output.json) return output.sayJson(result)
  for (const contents of result.contents) {
    const bytes = bytesOf(contents)
    if (bytes === undefined || process.stdout.isTTY) output.write(printContents(contents))
    else output.write(bytes)
  }
}

async function list({ client, output, options, serverName }: Talk): Promise<void> {
  const has = 'resources' in client.capabilities
  const resources = has ? await client.resources(options) : []
  const templates = has ? await client.templates(options) : []
  if (output.json) return output.sayJson({ resources, resourceTemplates: templates })
  const rows = [
    ...resources.map((one) => ({ ...one, where: one.uri })),
    ...templates.map((one) => ({ ...one, where: one.uriTemplate })),
  ].map(({ where, name, description }) => `${oneLine(where, 300)}\n  ${oneLine(description ?? name, 200)}`)
  if (rows.length === 0) return output.note(`${serverName} has no resources`)
  output.say(rows.join('\n'))
}
