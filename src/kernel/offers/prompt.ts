import type { Call } from '../call.ts'
import type { PromptArgument, PromptDefinition } from '../protocol/prompt.ts'
import type { Offer } from '../registry.ts'
import { checkNamed, present } from './definition.ts'

export interface Prompt extends Offer {
  readonly description: string | undefined
  readonly arguments: readonly PromptArgument[]
  render(args: { readonly [name: string]: string }, call: Call): unknown
}

export function preparePrompt(definition: PromptDefinition): Prompt {
  const name = checkNamed('prompt', definition, 'name', 'render')
  const { title, description, icons, _meta } = definition
  const list = definition.arguments ?? []
  const listedArguments = list.map(({ complete, ...argument }) => present(argument))
  return {
    key: name,
    listed: present({ name, title, description, arguments: listedArguments, icons, _meta }),
    description,
    arguments: list,
    render: (args, call) => definition.render(args as never, call), // The required ones have been checked.
  }
}
