import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool, type Elicited, elicit, Fault, listRoots, Needs, needs, sample } from '../../src/index.ts'
import { kernelCall } from '../setup/kernel.ts'
import { PNG, WAV } from './media.ts'

const STEP_MS = 50

const mixed = 'test://mixed-content-resource'

/** Results of every kind. */
export const contentTools = [
  defineTool({
    name: 'test_simple_text',
    description: 'Gives text',
    run: () => 'This is a simple text response for testing.',
  }),
  defineTool({
    name: 'test_image_content',
    description: 'Gives an image',
    run: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  }),
  defineTool({
    name: 'test_audio_content',
    description: 'Gives a sound',
    run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  }),
  defineTool({
    name: 'test_embedded_resource',
    description: 'Gives a resource',
    run: () => ({
      content: [
        resourceBlock('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
      ],
    }),
  }),
  defineTool({
    name: 'test_multiple_content_types',
    description: 'Gives one of each',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        resourceBlock(mixed, 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  }),
  defineTool({
    name: 'test_error_handling',
    description: 'Fails',
    run: () => {
      throw new Error('This tool intentionally returns an error for testing')
    },
  }),
]

function resourceBlock(uri: string, mimeType: string, text: string) {
  return { type: 'resource', resource: { uri, mimeType, text } } as const
}

/** Things said before the answer. */
export const talkingTools = [
  defineTool({
    name: 'test_tool_with_logging',
    description: 'Logs on its way',
    run: async (_args, call) => {
      call.log('info', 'Tool execution started')
      await sleep(STEP_MS)
      call.log('info', 'Tool processing data')
      await sleep(STEP_MS)
      call.log('info', 'Tool execution completed')
      return 'Logged three times'
    },
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Reports progress',
    run: async (_args, call) => {
      for (const progress of [0, 50, 100]) {
        call.progress(progress, 100, `Completed step ${progress} of 100`)
        await sleep(STEP_MS)
      }
      return 'Done'
    },
  }),
  defineTool({
    name: 'test_logging_tool',
    description: 'Logs once',
    run: (_args, call) => {
      call.log('info', 'Logged by test_logging_tool')
      return 'Logged'
    },
  }),
  defineTool({
    name: 'test_reconnection',
    description: 'Lets its connection go before it answers',
    run: async (_args, call) => {
      kernelCall(call).detach()
      await sleep(2 * STEP_MS)
      return 'Reconnection test completed successfully.'
    },
  }),
]

/** Questions that each revision asks in its own way. */
export const askingTools = [
  defineTool({
    name: 'test_sampling',
    description: 'Asks the model',
    input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    run: ({ prompt }, { answers }) =>
      answers['sampled'] === undefined
        ? needs({ sampled: sample({ messages: [userText(prompt)], maxTokens: 100 }) })
        : `LLM response: ${JSON.stringify(answers['sampled'])}`,
  }),
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the user',
    input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: ({ message }, { answers }) =>
      answers['user'] === undefined
        ? needs({ user: elicit({ message, schema: USER }) })
        : `User response: ${JSON.stringify(answers['user'])}`,
  }),
  askingTool('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  askingTool('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('value') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled('value') } },
  }),
]

const USER = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
}

function askingTool(name: string, properties: Record<string, object>) {
  return defineTool({
    name,
    description: 'Asks the user to fill in a form',
    run: (_args, { answers }) =>
      answers['form'] === undefined
        ? needs({
            form: elicit({ message: 'Please fill in the form', schema: { type: 'object', properties } }),
          })
        : `Elicitation completed: ${JSON.stringify(answers['form'])}`,
  })
}

function titled(prefix: string) {
  return ['First', 'Second', 'Third'].map((word, index) => ({
    const: `${prefix}${index + 1}`,
    title: `${word} Option`,
  }))
}

export function userText(text: string) {
  return { role: 'user', content: { type: 'text', text } }
}

/** Schemas and headers. */
export const schemaTools = [
  defineTool({
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema that uses much of JSON Schema',
    input: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: (args) => `Took ${JSON.stringify(args)}`,
  }),
  defineTool({
    name: 'test_x_mcp_header',
    description: 'Has an argument that is repeated in a header',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
    },
    run: ({ region }) => `Region: ${region}`,
  }),
]

/** Tools that the stateless scenario calls. */
export const statelessTools = [
  defineTool({
    name: 'test_missing_capability',
    description: 'Cannot do without sampling',
    run: (_args, { answers }) =>
      answers['sampled'] === undefined
        ? needs({ sampled: sample({ messages: [userText('Say something')], maxTokens: 10 }) })
        : 'Sampled',
  }),
  defineTool({
    name: 'test_streaming_elicitation',
    description: 'Asks nothing',
    run: () => 'Nothing to ask',
  }),
  defineTool({
    name: 'test_trigger_tool_change',
    description: 'Changes the list of tools',
    run: (_args, { server }) => {
      server.tools.add({ name: 'test_temporary', description: 'Comes and goes', run: () => 'Here' })
      server.tools.remove('test_temporary')
      return 'Changed'
    },
  }),
  defineTool({
    name: 'test_trigger_prompt_change',
    description: 'Changes the list of prompts',
    run: (_args, { server }) => {
      server.prompts.add({ name: 'test_temporary', description: 'Comes and goes', render: () => 'Here' })
      server.prompts.remove('test_temporary')
      return 'Changed'
    },
  }),
]

const askName = () =>
  elicit({
    message: 'What is your name?',
    schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })
const askColor = () =>
  elicit({
    message: 'Which color?',
    schema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
  })
const askOk = () =>
  elicit({ message: 'Is that so?', schema: { type: 'object', properties: { ok: { type: 'boolean' } } } })

function greet(answer: Elicited<{ readonly name: string }>): string {
  return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Nobody to greet'
}

/** Calls that end only after the client has answered. */
export const inputRequiredTools = [
  defineTool({
    name: 'test_input_required_result_elicitation',
    description: 'Asks for a name',
    run: (_args, call) => {
      const asked = call.ask({ user_name: askName() })
      return asked instanceof Needs ? asked : greet(asked.user_name)
    },
  }),
  defineTool({
    name: 'test_input_required_result_sampling',
    description: 'Asks the model',
    run: (_args, { answers }) =>
      answers['capital_question'] === undefined
        ? needs({
            capital_question: sample({
              messages: [userText('What is the capital of France?')],
              maxTokens: 100,
            }),
          })
        : `Answer: ${JSON.stringify(answers['capital_question'])}`,
  }),
  defineTool({
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the roots',
    run: (_args, { answers }) =>
      answers['client_roots'] === undefined
        ? needs({ client_roots: listRoots() })
        : `Roots: ${JSON.stringify(answers['client_roots'])}`,
  }),
  defineTool({
    name: 'test_input_required_result_request_state',
    description: 'Keeps a state between two rounds',
    run: (_args, { answers, state }) =>
      answers['confirm'] === undefined
        ? needs({ confirm: askOk() }, { state: 'state-ok' })
        : `Kept: ${String(state)}`,
  }),
  defineTool({
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks three things at once',
    run: (_args, { answers }) =>
      answers['user_name'] === undefined ||
      answers['greeting'] === undefined ||
      answers['client_roots'] === undefined
        ? needs({
            user_name: askName(),
            greeting: sample({ messages: [userText('Generate a greeting')], maxTokens: 50 }),
            client_roots: listRoots(),
          })
        : 'All three answered',
  }),
  defineTool({
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice',
    run: (_args, call) => {
      const first = call.ask({ step1: askName() })
      if (first instanceof Needs) return first
      const second = call.ask({ step2: askColor() })
      if (second instanceof Needs) return second
      if (first.step1.action !== 'accept' || second.step2.action !== 'accept') return 'Nobody likes anything'
      return `${first.step1.content.name} likes ${second.step2.content.color}`
    },
  }),
  defineTool({
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that it did not make',
    run: (_args, { answers }) =>
      answers['confirm'] === undefined ? needs({ confirm: askOk() }, { state: 'signed' }) : 'Untampered',
  }),
  defineTool({
    name: 'test_input_required_result_capabilities',
    description: 'Asks in whichever way the client can answer',
    run: (_args, { answers, peer }) => {
      if (answers['either'] !== undefined) return 'Answered'
      const question =
        'elicitation' in peer.capabilities
          ? askName()
          : sample({ messages: [userText('Hello')], maxTokens: 10 })
      return needs({ either: question })
    },
  }),
]

const NO_NAME = {
  type: 'object',
  properties: { filename: { type: 'string' } },
  required: ['filename'],
} as const

const yes = (message: string) =>
  elicit({ message, schema: { type: 'object', properties: { confirm: { type: 'boolean' } } } })

/** Calls that go on as tasks. */
export const taskTools = [
  defineTool({
    name: 'greet',
    description: 'Greets',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    run: ({ name }) => `Hello, ${name}!`,
  }),
  defineTool({
    name: 'slow_compute',
    description: 'Takes its time',
    input: {
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
      required: ['seconds'],
    },
    task: 'optional',
    run: async ({ seconds, label = 'it' }, call) => {
      await sleep(seconds * 1000, undefined, { signal: call.signal })
      return `Computed ${label} in ${seconds} s`
    },
  }),
  defineTool({
    name: 'failing_job',
    description: 'Fails',
    task: 'required',
    run: async () => {
      await sleep(STEP_MS)
      throw new Error('The job failed')
    },
  }),
  defineTool({
    name: 'protocol_error_job',
    description: 'Fails by the protocol',
    task: 'required',
    run: async () => {
      await sleep(STEP_MS)
      throw new Fault('internalError', 'The job broke')
    },
  }),
  defineTool({
    name: 'confirm_delete',
    description: 'Asks before it deletes',
    input: NO_NAME,
    task: 'required',
    run: ({ filename }, { answers }) =>
      answers['confirm'] === undefined
        ? needs({ confirm: yes(`Delete ${filename}?`) })
        : `Deleted ${filename}`,
  }),
  defineTool({
    name: 'multi_input',
    description: 'Asks two things',
    task: 'required',
    run: (_args, { answers }) =>
      answers['first'] === undefined || answers['second'] === undefined
        ? needs({ first: yes('The first?'), second: yes('The second?') })
        : 'Both answered',
  }),
  defineTool({
    name: 'test_tool_with_task',
    description: 'Asks first and then goes on as a task',
    task: 'required',
    ask: (_args, call) => call.ask({ user_name: askName() }),
    run: (_args, call) => {
      const asked = call.ask({ user_name: askName() })
      return asked instanceof Needs ? asked : greet(asked.user_name)
    },
  }),
]
