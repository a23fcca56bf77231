import { isObject, type JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitAnnotated, fitFields, omit } from './fields.ts'
import { fitsOutputSchema } from './structured.ts'

export function fitTool(tool: JsonObject, revision: Revision): JsonObject {
  const fitted = fitFields('tool', tool, revision)
  const { outputSchema } = fitted
  return isObject(outputSchema) && !fitsOutputSchema(outputSchema, revision)
    ? omit(fitted, ['outputSchema'])
    : fitted
}

export function fitResource(resource: JsonObject, revision: Revision): JsonObject {
  return fitAnnotated('resource', resource, revision)
}

export function fitTemplate(template: JsonObject, revision: Revision): JsonObject {
  return fitAnnotated('template', template, revision)
}

export function fitPrompt(prompt: JsonObject, revision: Revision): JsonObject {
  const fitted = fitFields('prompt', prompt, revision)
  const list = fitted['arguments']
  if (!Array.isArray(list)) return fitted
  return { ...fitted, arguments: list.map((argument) => fitFields('argument', argument, revision)) }
}
