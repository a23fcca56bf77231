import { expect, it } from 'vitest'
import { createTestClient, defineServer, Fault, keepOffers, type ServerDefinition } from '../../src/index.ts'

const server = (more: object) => defineServer({ name: 's', version: '1', ...more } as ServerDefinition)
const prompt = { name: 'p', arguments: [{ name: 'a' }, { name: 'b' }, { name: 'a' }], render: () => '' }

it.each<[string, () => unknown, string]>([
  [
    'keepOffers with a name alone',
    () => keepOffers({ name: 'k' } as never),
    "keepOffers: list: expected 'tools'",
  ],
  [
    'data as the message of a Fault',
    () => new Fault('invalidParams', { a: 1 } as never),
    'new Fault: message: expected a string, got an object: data comes after it',
  ],
  [
    'a time before now',
    () => server({ taskTtlMs: -1 }),
    'taskTtlMs: expected milliseconds from 0 on, got the number -1',
  ],
  ['two arguments of one name', () => server({ prompts: [prompt] }), 'The prompt p has two arguments a'],
  [
    'a scope with a space',
    () => server({ tools: [{ name: 't', scopes: ['a b'], run: () => '' }] }),
    'scopes[0]: expected a string without spaces, got the string "a b"',
  ],
])('%s is refused', (_what, act, said) => {
  expect(act).toThrow(said)
})

it('answers of a test client are functions', async () => {
  const answers = { 'elicitation/create': { action: 'accept' } } as never
  await expect((async () => createTestClient(server({}), { answers }))()).rejects.toThrow(
    'createTestClient: answers.elicitation/create: expected a function, got an object',
  )
})

it('a middleware that goes on with a copy of the call is told', async () => {
  const errors: string[] = []
  const copying = (call: object, next: (call: never) => unknown) => next({ ...call } as never)
  const observe = (event: { readonly kind: string; readonly error?: unknown }) =>
    void (event.kind === 'crashed' && errors.push(String(event.error)))
  const client = await createTestClient(server({ tools: [], middleware: [copying], observe })).catch(
    () => undefined,
  )
  await client?.request('tools/list').catch(() => undefined)
  expect(errors.join()).toContain('The middleware copying called next without the call itself: next(call)')
})
