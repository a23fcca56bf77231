import { callable, flag, listOf, type Members, membersOf, object, text } from '../check/members.ts'
import type { Call } from '../definitions/authors.ts'
import type { Completer, PromptArgument, PromptDefinition } from '../definitions/prompt.ts'
import { Mistake } from '../words/mistake.ts'
import { checkCompleted, checkDefinition, type Grammar, OFFERED, present } from './definition.ts'
import type { Offer } from './shelf.ts'

export interface OfferedPrompt extends Offer {
  readonly description: string | undefined
  readonly arguments: readonly PromptArgument[]
  readonly complete: { readonly [argument: string]: Completer }
  /** Has another server answer a whole request for suggestions. */
  readonly suggest: ((call: Call) => unknown) | undefined
  /** Whether another server answers, whose results are told as they are. */
  readonly relayed: boolean
  render(args: { readonly [name: string]: string }, call: Call): unknown
}

const ARGUMENT: Members<PromptArgument> = { name: text, title: text, description: text, required: flag }

const MEMBERS: Members<PromptDefinition> = {
  ...OFFERED,
  arguments: listOf(
    membersOf(
      { ...ARGUMENT },
      {
        needed: ['name'],
        meant: {
          complete: 'Suggestions stand beside arguments: complete: { name: (begun) => […] }',
          schema: 'The arguments of a prompt are strings.',
          type: 'The arguments of a prompt are strings.',
        },
      },
    ),
  ),
  complete: object,
  otherNames: listOf(text),
  render: callable,
}

const PROMPT: Grammar = {
  noun: 'prompt',
  key: 'name',
  action: 'render',
  members: MEMBERS,
  meant: {
    argsSchema: 'arguments',
    args: 'arguments',
    parameters: 'arguments',
    input: 'arguments',
    run: 'render',
    handler: 'render',
    get: 'render',
    load: 'render',
    callback: 'render',
    messages: 'render',
  },
}

export function preparePrompt(definition: PromptDefinition): OfferedPrompt {
  const name = checkDefinition(definition, PROMPT)
  const { title, description, icons, _meta, complete = {} } = definition
  const list = definition.arguments ?? []
  const again = list.find((one, at) => list.findIndex(({ name: other }) => other === one.name) < at)
  if (again !== undefined) throw new Mistake(`The prompt ${name} has two arguments ${again.name}`)
  checkCompleted(
    `Prompt ${name}`,
    complete,
    list.map((argument) => argument.name),
  )
  const listedArguments = list.map((argument) => present({ ...argument }))
  return {
    key: name,
    otherKeys: definition.otherNames,
    scopes: definition.scopes ?? [],
    listed: present({ name, title, description, arguments: listedArguments, icons, _meta }),
    description,
    arguments: list,
    complete,
    suggest: undefined,
    relayed: false,
    render: (args, call) => definition.render(args as never, call), // The required ones have been checked.
  }
}
