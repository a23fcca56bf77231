import { defineModule, definePrompt, defineResourceTemplate, defineTool } from '../../src/index.ts'
import { ANNOTATIONS } from './values.ts'

const getWeather = defineTool({
  name: 'get_weather',
  input: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  run: ({ location }) => `Sunny in ${location}`,
})

const buildSimulation = defineTool({
  name: 'build_simulation',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }, call) => {
    call.progress(1, 1, 'built')
    return city
  },
})

const file = defineResourceTemplate({
  uriTemplate: 'file:///project/{+path}',
  name: 'file',
  mimeType: 'text/plain',
  annotations: ANNOTATIONS,
  subscribable: true,
  complete: { path: (value) => ['src/main.rs', 'config.json'].filter((path) => path.startsWith(value)) },
  read: ({ path }) => (path === 'missing' ? undefined : `contents of ${path}`),
})

const codeReview = definePrompt({
  name: 'code_review',
  arguments: [{ name: 'code', required: true }, { name: 'language' }, { name: 'framework' }],
  complete: {
    language: (value) => ['python', 'pytorch', 'rust'].filter((one) => one.startsWith(value)),
    framework: (value, chosen) =>
      chosen['language'] === 'python' ? ['flask'].filter((one) => one.startsWith(value)) : [],
  },
  render: ({ code, language }) => `Review this ${language ?? 'code'}: ${code}`,
})

/** What the official examples call by name. */
export const officialExamples = defineModule({
  name: 'official-examples',
  tools: [getWeather, buildSimulation],
  templates: [file],
  prompts: [codeReview],
})
