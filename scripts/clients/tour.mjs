import assert from 'node:assert/strict'

/** What every client does with a server: lists, calls, reads, gets. Gives the revision that was agreed on. */
export async function tour(host) {
  const { tools } = await host.listTools()
  assert(
    tools.some(({ name }) => name === 'hello'),
    'hello is not listed',
  )
  assert.equal(textOf(await host.callTool('hello', { name: 'Ada' })), 'Hello, Ada!')
  assert.equal(textOf(await host.callTool('add', { a: 2, b: 40 })), '42')
  const { contents } = await host.readResource('config://server')
  assert.equal(typeof JSON.parse(contents[0].text), 'object')
  const { messages } = await host.getPrompt('greet', { name: 'Ada' })
  assert.equal(messages[0].content.text, 'Please greet Ada warmly')
  return host.revision()
}

function textOf({ content }) {
  return content[0].text
}
