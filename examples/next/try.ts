// Stands in for the framework: it has a request answered by whatever the route exports for its method.
import { serve } from '@hono/node-server'
import * as route from './app/mcp/route.ts'

const routes: { readonly [method: string]: (request: Request) => Promise<Response> } = route

serve(
  {
    fetch: (request) => routes[request.method]?.(request) ?? new Response(null, { status: 405 }),
    hostname: '127.0.0.1',
    port: 8181,
  },
  () => console.log('http://127.0.0.1:8181/mcp'),
)
