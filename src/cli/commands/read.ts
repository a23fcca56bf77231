import { ErrorReply } from '../../client/index.ts'
import type { ClientCommand, Talk } from '../client/command.ts'
import { bytesOf, printContents } from '../client/content.ts'
import { listFrom } from '../client/find.ts'
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
async function readOne(talk: Talk, uri: string): Promise<void> {
  const { output } = talk
  const result = await readWhenKnown(talk, uri)
  if (output.json) return output.sayJson(result)
  for (const contents of result.contents) {
    const bytes = bytesOf(contents)
    if (bytes === undefined || process.stdout.isTTY) output.write(printContents(contents))
    else output.write(bytes)
  }
}

/** Whoever stands for others may not have known yet that one of them has it. */
async function readWhenKnown(talk: Talk, uri: string) {
  const { client, options } = talk
  const request = `resources/read ${uri}`
  talk.awaits(request)
  try {
    return await client.read(uri, options)
  } catch (error) {
    if (!(error instanceof ErrorReply)) throw error
    let hasWaited = false
    const waiting = () => {
      hasWaited = true
    }
    await listFrom('resources', talk, { waiting })
    if (!hasWaited) throw error
    talk.awaits(request)
    return client.read(uri, options)
  }
}

async function list(talk: Talk): Promise<void> {
  const { output, serverName } = talk
  const [resources, templates] = [await listFrom('resources', talk), await listFrom('templates', talk)]
  if (output.json) return output.sayJson({ resources, resourceTemplates: templates })
  const rows = [
    ...resources.map((one) => ({ ...one, where: one.uri })),
    ...templates.map((one) => ({ ...one, where: one.uriTemplate })),
  ].map(({ where, name, description }) => `${oneLine(where, 300)}\n  ${oneLine(description ?? name, 200)}`)
  if (rows.length === 0) return output.note(`${serverName} has no resources`)
  output.say(rows.join('\n'))
}
