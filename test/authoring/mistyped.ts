import {
  defineModule,
  definePrompt,
  defineResource,
  defineServer,
  defineTool,
  Fault,
  rateLimit,
} from '../../src/index.ts'

/** Never called: what matters is that each line with a mistake would not compile, which `tsc` checks. */
export function mistakes(): void {
  const run = () => 'ok'
  // @ts-expect-error input, not inputSchema
  defineTool({ name: 't', inputSchema: {}, run })
  // @ts-expect-error optional or required
  defineTool({ name: 't', task: 'always', run })
  // @ts-expect-error a tool has a function
  defineTool({ name: 't' })
  // @ts-expect-error suggestions stand beside arguments
  definePrompt({ name: 'p', arguments: [{ name: 'a', complete: () => [] }], render: run })
  // @ts-expect-error arguments are a list
  definePrompt({ name: 'p', arguments: { a: {} }, render: run })
  // @ts-expect-error a resource has a name
  defineResource({ uri: 'a://b', read: run })
  // @ts-expect-error tools, not tool
  defineModule({ name: 'm', tool: [] })
  // @ts-expect-error a server has a version
  defineServer({ name: 's' })
  // @ts-expect-error a store or its URL
  defineServer({ name: 's', version: '1', store: 5 })
  // @ts-expect-error pageSize
  defineServer({ name: 's', version: '1', pagesize: 5 })
  // @ts-expect-error faults begin small
  new Fault('InvalidParams')
  // @ts-expect-error a rate
  rateLimit()
}
