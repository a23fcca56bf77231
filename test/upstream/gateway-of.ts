import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { defineServer, type ServerDefinition } from '../../src/authoring/define-server.ts'
import { createTestClient, type TestClient, type TestClientOptions } from '../../src/index.ts'
import type { Server } from '../../src/kernel/index.ts'
import { upstream } from '../../src/modules/upstream/index.ts'
import type { UpstreamOptions } from '../../src/modules/upstream/options.ts'
import { siblingsOf } from '../../src/modules/upstream/siblings.ts'

export const ending: (() => unknown)[] = []

/** What whoever runs the gateway has been told. */
export const noted: string[] = []

/** Ends after each test of a file what it has begun; files share this module, so that each has to say so. */
export function endAfterEach(): void {
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end()
    noted.length = 0
  })
}

export function observe(event: { kind: string; message?: string }): void {
  if (event.kind === 'noted') noted.push(event.message ?? '')
}

export function gatewayTo(
  upstreams: { readonly [name: string]: UpstreamOptions },
  shared: Pick<ServerDefinition, 'store' | 'secrets'> = {},
): Server {
  const modules = Object.entries(upstreams).map(([name, options]) => upstream(name, options))
  const gateway = defineServer({ name: 'gateway', version: '1', modules, observe, reports: true, ...shared })
  ending.push(() => gateway.close())
  return gateway
}

/** A client of a gateway all of whose upstreams have been looked at: on a busy machine that takes longer than a start waits. */
export async function clientOf(gateway: Server, options: TestClientOptions = {}): Promise<TestClient> {
  await gateway.start()
  await lookedAt(gateway)
  return createTestClient(gateway, options)
}

export async function lookedAt(gateway: Server): Promise<void> {
  await Promise.all([...siblingsOf(gateway)].map(({ looked }) => looked))
}

/** Listens until the test is over, and gives its address. */
export async function listen(listener: RequestListener): Promise<string> {
  const http = createServer(listener)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  ending.push(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

export const textOf = (result: { readonly content: readonly object[] }) =>
  (result.content[0] as { text: string }).text

export const namesOf = async (client: TestClient) => (await client.tools()).map(({ name }) => name)
