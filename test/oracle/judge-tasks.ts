import { isObject } from '../../src/kernel/index.ts'
import type { Heard } from './recorder.ts'
import { findSpec } from './spec.ts'

const RESULTS: { readonly [method: string]: string } = {
  'tasks/get': 'GetTaskResult',
  'tasks/update': 'UpdateTaskResult',
  'tasks/cancel': 'CancelTaskResult',
}

/** What is wrong with a message of the tasks extension by its own schema; undefined for any other message. */
export function judgeTasks(heard: Heard): readonly string[] | undefined {
  const definition = definitionOf(heard)
  if (definition === undefined) return undefined
  const { message } = heard
  return (
    findSpec('ext-tasks-draft')?.problems(definition, 'result' in message ? message['result'] : message) ?? []
  )
}

function definitionOf({ message, method }: Heard): string | undefined {
  const { result } = message
  if (message['method'] === 'notifications/tasks') return 'TaskStatusNotification'
  if (!isObject(result) || result['resultType'] === undefined) return undefined
  return result['resultType'] === 'task' ? 'CreateTaskResult' : RESULTS[method ?? '']
}
