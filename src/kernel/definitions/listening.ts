/**
 * What a client can listen to by `subscriptions/listen`, and the words that its revision has for it.
 * @example const filter = { [LISTENING.tools]: true }
 */
export const LISTENING = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
  uris: 'resourceSubscriptions',
  tasks: 'taskIds',
} as const
