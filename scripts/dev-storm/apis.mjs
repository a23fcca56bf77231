/**
 * The three ways in which hosts speak to a model: which tools a request offers, what the last call gave, and
 * all that has been told since, and the events that call a tool or say a word and are done.
 */
export const APIS = {
  '/v1/messages': {
    since({ messages }, id) {
      const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
      return blocks.slice(blocks.findLastIndex((block) => block.tool_use_id === id))
    },
    tools: ({ tools = [] }) => tools.map(({ name }) => ({ name })),
    result({ messages }, id) {
      const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
      return textOf(blocks.findLast((block) => block.tool_use_id === id)?.content)
    },
    call: ({ name }, id) =>
      message({ type: 'tool_use', id, name, input: {} }, 'tool_use', {
        type: 'input_json_delta',
        partial_json: '{}',
      }),
    say: (text) => message({ type: 'text', text: '' }, 'end_turn', { type: 'text_delta', text }),
  },
  '/v1/chat/completions': {
    since: ({ messages }, id) => messages.slice(messages.findLastIndex((said) => said.tool_call_id === id)),
    tools: ({ tools = [] }) => tools.map((tool) => ({ name: tool.function.name })),
    result: ({ messages }, id) => textOf(messages.findLast((said) => said.tool_call_id === id)?.content),
    call: ({ name }, id) =>
      chunks(
        { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '{}' } }] },
        'tool_calls',
      ),
    say: (content) => chunks({ content }, 'stop'),
  },
  '/v1/responses': {
    since: ({ input }, id) =>
      input.slice(
        input.findLastIndex(({ type, call_id }) => type === 'function_call_output' && call_id === id),
      ),
    tools: ({ tools = [] }) =>
      tools.flatMap(({ type, name, tools: inside }) =>
        type === 'namespace'
          ? inside.map((tool) => ({ name: tool.name, namespace: name }))
          : [{ name: name ?? type }],
      ),
    result: ({ input }, id) =>
      textOf(
        input.findLast(({ type, call_id }) => type === 'function_call_output' && call_id === id)?.output,
      ),
    call: ({ name, namespace }, id) =>
      response({ type: 'function_call', id: `item-${id}`, call_id: id, name, namespace, arguments: '{}' }),
    say: (text) =>
      response({
        type: 'message',
        id: 'item',
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      }),
  },
}

const textOf = (content = '') =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')

function message(block, reason, delta) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const empty = { id: 'message', type: 'message', role: 'assistant', model: 'scripted', content: [], usage }
  return [
    { type: 'message_start', message: { ...empty, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

function chunks(delta, reason) {
  const chunk = (choice) => ({
    id: 'chunk',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, finish_reason: null, ...choice }],
  })
  return [chunk({ delta: { role: 'assistant', ...delta } }), chunk({ delta: {}, finish_reason: reason })]
}

function response(item) {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const whole = { id: 'response', object: 'response', model: 'scripted', output: [item], usage }
  return [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...whole, status: 'completed' } },
  ]
}
