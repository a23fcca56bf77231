import type { Call } from '../call.ts'
import type { Completer, PromptArgument, PromptDefinition } from '../protocol/prompt.ts'
import type { Offer } from '../shelf.ts'
import { checkCompleted, checkNamed, present } from './definition.ts'

export interface Prompt extends Offer {
  readonly description: string | undefined
  readonly arguments: readonly PromptArgument[]
  readonly complete: { readonly [argument: string]: Completer }
  render(args: { readonly [name: string]: string }, call: Call): unknown
}

export function preparePrompt(definition: PromptDefinition): Prompt {
  const name = checkNamed('prompt', definition, 'name', 'render')
  const { title, description, icons, _meta, complete = {} } = definition
  const list = definition.arguments ?? []
  checkCompleted(
    `Prompt ${name}`,
    complete,
    list.map((argument) => argument.name),
  )
  const listedArguments = list.map((argument) => present({ ...argument }))
  return {
    key: name,
    scopes: definition.scopes ?? [],
    listed: present({ name, title, description, arguments: listedArguments, icons, _meta }),
    description,
    arguments: list,
    complete,
    render: (args, call) => definition.render(args as never, call), // The required ones have been checked.
  }
}
