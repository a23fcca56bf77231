import {
  defineModule,
  definePrompt,
  defineResource,
  defineTool,
  type Elicited,
  elicit,
  elicitUrl,
  listRoots,
  Needs,
  sample,
} from '../../src/index.ts'

const NAME_FORM = elicit({
  message: 'What is your name?',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'Your name', minLength: 1, maxLength: 40 },
      age: { type: 'integer', minimum: 0, maximum: 150 },
      subscribe: { type: 'boolean', default: false },
      colour: { type: 'string', enum: ['red', 'blue'] },
    },
    required: ['name'],
  },
})

function nameOf(answer: Elicited<{ readonly name: string }>): string | undefined {
  return answer.action === 'accept' ? answer.content.name : undefined
}

export const askName = defineTool({
  name: 'ask-name',
  description: 'Asks the user by a form',
  input: { type: 'object', properties: { greeting: { type: 'string' } } },
  run: ({ greeting = 'Hello' }, call) => {
    const asked = call.ask({ name: NAME_FORM })
    if (asked instanceof Needs) return asked
    const { name } = asked
    return name.action === 'accept' ? `${greeting}, ${name.content.name}` : `The user: ${name.action}`
  },
})

const askPage = defineTool({
  name: 'ask-page',
  description: 'Asks the user to open a page',
  run: (_args, call) => {
    const page = elicitUrl({ message: 'Please sign in', url: 'https://example.com/sign-in' })
    const asked = call.ask({ page })
    return asked instanceof Needs ? asked : `The user: ${asked.page.action}`
  },
})

const askModel = defineTool({
  name: 'ask-model',
  description: 'Asks the model of the client',
  run: (_args, call) => {
    const message = { role: 'user', content: { type: 'text', text: 'A poem, please' } }
    const poem = sample({
      messages: [message],
      maxTokens: 50,
      systemPrompt: 'Be short',
      temperature: 0.5,
      stopSequences: ['.'],
      includeContext: 'none',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
    })
    const asked = call.ask({ poem })
    return asked instanceof Needs ? asked : { content: [asked.poem.content].flat() }
  },
})

const askRoots = defineTool({
  name: 'ask-roots',
  description: 'Asks for the folders of the client',
  run: (_args, call) => {
    const asked = call.ask({ roots: listRoots() })
    return asked instanceof Needs ? asked : asked.roots.roots.map(({ uri }) => uri).join(' ')
  },
})

const askTwice = defineTool({
  name: 'ask-twice',
  description: 'Asks two things at once, then a third, and remembers what it was told',
  run: (_args, call) => {
    const both = call.ask({ first: NAME_FORM, second: NAME_FORM })
    if (both instanceof Needs) return both
    const last = call.ask({ third: NAME_FORM }, { state: { round: 2 } })
    if (last instanceof Needs) return last
    const names = [both.first, both.second, last.third].map(nameOf)
    return `${names.join(', ')} and ${JSON.stringify(call.state)}`
  },
})

export const secret = defineResource({
  uri: 'note://secret',
  name: 'secret',
  cache: { ttlMs: 5000, cacheScope: 'public' },
  read: (call) => {
    const asked = call.ask({ name: NAME_FORM })
    return asked instanceof Needs ? asked : `For ${nameOf(asked.name)} only`
  },
})

const interview = definePrompt({
  name: 'interview',
  description: 'Asks before it renders',
  render: (_args, call) => {
    const asked = call.ask({ name: NAME_FORM })
    return asked instanceof Needs ? asked : `Interview ${nameOf(asked.name)}`
  },
})

/** Whatever asks its client before it answers. */
export const questions = defineModule({
  name: 'questions',
  tools: [askName, askPage, askModel, askRoots, askTwice],
  prompts: [interview],
})
