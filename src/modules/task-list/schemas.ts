import { PRIORITIES, STATUSES } from './task.ts'

export const MAX_PAGE = 200
export const DEFAULT_PAGE = 50

/** However many tasks were asked for, a list ends with the one with which it is as large as this. */
export const ENOUGH_BYTES = 256 * 1024

/** How long a text to search for may be. */
export const MAX_SEARCH = 200

export const ID = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Id of the task: task_…',
} as const

export const DESCRIPTION = {
  type: 'string',
  minLength: 1,
  maxLength: 10_000,
  description: 'Task description',
} as const

export const STATUS = { type: 'string', enum: STATUSES, description: 'Where the task stands' } as const

export const PRIORITY = {
  type: 'string',
  enum: PRIORITIES,
  description: 'How important the task is',
} as const

export const TAG = { type: 'string', minLength: 1, maxLength: 50, description: 'A tag' } as const

export const TAGS = {
  type: 'array',
  items: TAG,
  maxItems: 20,
  description: 'Tags to find the task by',
} as const

const DUE_FORMS =
  'a date (2026-11-20), a time with its offset (2026-11-20T15:00:00+01:00), or words for one (tomorrow, next friday, in 2 weeks, friday at 15:00)'

export const DUE = {
  type: 'string',
  maxLength: 40,
  description: `When the task must be done: ${DUE_FORMS}`,
} as const

export const NEW_DUE = {
  type: ['string', 'null'],
  maxLength: 40,
  description: `When the task must be done: ${DUE_FORMS}; null takes the due date away`,
} as const

export const PARENT = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Id of the task that this one is a part of',
} as const

export const BLOCKED_BY = {
  type: 'array',
  items: { ...ID, description: 'Id of a task' },
  maxItems: 50,
  description: 'Ids of the tasks that must be done or cancelled before this one can be claimed; no circles',
} as const

export const EXPECTED = {
  type: 'string',
  maxLength: 40,
  description:
    'The updatedAt of the task as you know it: if somebody has changed it since, nothing is done and you are told',
} as const

export const AGENT = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Who works on it: a name that no other agent on this list has, the same in all your calls',
} as const

/** A task as every tool gives it. */
export const TASK = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Id of the task' },
    description: { type: 'string', description: 'Task description' },
    status: STATUS,
    priority: PRIORITY,
    due: {
      type: ['string', 'null'],
      description: 'When the task must be done: a date or a time; null if never',
    },
    tags: {
      type: 'array',
      items: { type: 'string', description: 'A tag' },
      description: 'Tags of the task',
    },
    createdAt: { type: 'string', description: 'When the task was created, in UTC' },
    updatedAt: { type: 'string', description: 'When the task was last changed, in UTC' },
    completedAt: {
      type: ['string', 'null'],
      description: 'When the task was completed, in UTC; null if it is not',
    },
    parent: { type: 'string', description: 'The task that it is a part of, if any' },
    blockedBy: {
      type: 'array',
      items: { type: 'string', description: 'Id of a task' },
      description: 'Tasks that must be done or cancelled first, if any',
    },
    claimedBy: { type: 'string', description: 'Who works on it, if anybody has claimed it' },
    claimedUntil: { type: 'string', description: 'When that claim ends unless it is renewed, in UTC' },
  },
  required: [
    'id',
    'description',
    'status',
    'priority',
    'due',
    'tags',
    'createdAt',
    'updatedAt',
    'completedAt',
  ],
  additionalProperties: false,
} as const

export const PAGE = {
  type: 'object',
  properties: {
    tasks: { type: 'array', items: TASK, description: 'Tasks by creation, newest first' },
    nextCursor: {
      type: 'string',
      description: 'Give it as cursor to get the next page; absent on the last one',
    },
  },
  required: ['tasks'],
  additionalProperties: false,
} as const

export const HISTORY = {
  type: 'object',
  properties: {
    entries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          at: { type: 'string', description: 'When, in UTC' },
          what: {
            type: 'string',
            enum: ['created', 'changed', 'claimed', 'released', 'deleted', 'restored'],
            description: 'What was done',
          },
          by: { type: 'string', description: 'Who did it: an agent, or the name of a client' },
          changes: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                field: { type: 'string', description: 'What has changed' },
                from: { type: ['string', 'null'], description: 'What it was; long texts are cut' },
                to: { type: ['string', 'null'], description: 'What it became' },
              },
              required: ['field', 'from', 'to'],
              additionalProperties: false,
              description: 'One change',
            },
            description: 'What has changed by it',
          },
        },
        required: ['at', 'what', 'changes'],
        additionalProperties: false,
        description: 'One thing that was done',
      },
      description: 'The newest first',
    },
  },
  required: ['entries'],
  additionalProperties: false,
} as const

/** A tool that takes nothing but a task, and maybe how one knows it. */
export const ID_AS_KNOWN = {
  type: 'object',
  properties: { id: ID, expectedUpdatedAt: EXPECTED },
  required: ['id'],
  additionalProperties: false,
} as const

/** A tool that takes nothing but a task. */
export const ONLY_ID = {
  type: 'object',
  properties: { id: ID },
  required: ['id'],
  additionalProperties: false,
} as const
