import { readArguments } from '../client/arguments.ts'
import type { ClientCommand, Talk } from '../client/command.ts'
import { printContent } from '../client/content.ts'
import { find, listFrom } from '../client/find.ts'
import { oneLine } from '../client/printable.ts'
import { UsageError } from '../usage-error.ts'

/** Gets a prompt, or lists them. */
export const prompt: ClientCommand = {
  name: 'prompt',
  summary: 'gets a prompt of any MCP server, or lists them',
  words: '[PROMPT [name=value | name=@file …]]',
  example: 'perigee prompt review code=@main.c -- npx -y some-server',
  settings: {},
  prepare({ words: [name, ...words] }) {
    const given = readArguments(words)
    const json = given.find(({ isJson }) => isJson)
    if (json !== undefined)
      throw new UsageError(
        `${json.name}: prompts take text alone: write ${json.name}=…, and not ${json.name}:=…`,
      )
    const args = Object.fromEntries(given.map((one) => [one.name, one.text]))
    return name === undefined ? list : (talk) => get(talk, name, args)
  },
}

async function get(talk: Talk, name: string, args: { readonly [name: string]: string }): Promise<void> {
  const { client, output, options } = talk
  find('prompt', name, await listFrom('prompts', talk, { wanted: name }))
  talk.awaits(`prompts/get ${name}`)
  const result = await client.prompt(name, args, options)
  if (output.json) return output.sayJson(result)
  output.say(result.messages.map(({ role, content }) => `${role}: ${printContent(content)}`).join('\n'))
}

async function list(talk: Talk): Promise<void> {
  const { output, serverName } = talk
  const prompts = await listFrom('prompts', talk)
  if (output.json) return output.sayJson(prompts)
  if (prompts.length === 0) return output.note(`${serverName} has no prompts`)
  const rows = prompts.map(({ name, description = '', arguments: args = [] }) => {
    const names = args.map((one) => `${one.name}${one.required === true ? '' : '?'}`)
    return `${oneLine(`${name}(${names.join(', ')})`, 300)}\n  ${oneLine(description, 200)}`
  })
  output.say(rows.join('\n'))
}
