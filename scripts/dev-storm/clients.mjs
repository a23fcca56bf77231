import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { connect } from 'perigee/client'

const INFO = { name: 'dev-storm', version: '1.0.0' }

/** What all clients can do here: call a tool, be told of changes, and say what went wrong with their connection. */
export const CLIENTS = {
  'SDK v1': (target) => openSdk(target, new ClientV1(INFO), { stdio: StdioV1, http: HttpV1 }),
  'SDK v2, handshake': (target) => openV2(target, 'legacy'),
  'SDK v2, 2026-07-28': (target) => openV2(target, { pin: '2026-07-28' }),
  'perigee, 2025-11-25': (target) => openOurs(target, '2025-11-25'),
  'perigee, 2026-07-28': (target) => openOurs(target, '2026-07-28'),
}

function openV2(target, mode) {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } })
  return openSdk(target, client, { stdio: StdioV2, http: HttpV2 }, mode !== 'legacy')
}

async function openSdk(target, client, transports, listens = false) {
  const opened = { told: 0, lost: [], stderr: '' }
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === 'notifications/tools/list_changed') opened.told++
  }
  const transport =
    target.url === undefined
      ? new transports.stdio({ ...target.command, stderr: 'pipe' })
      : new transports.http(new URL(target.url))
  transport.stderr?.on('data', (text) => {
    opened.stderr += text
  })
  await client.connect(transport)
  if (listens) await client.listen({ toolsListChanged: true })
  client.onclose = () => opened.lost.push('closed')
  client.onerror = (error) => opened.lost.push(error.message)
  return Object.assign(opened, {
    call: async () => (await client.callTool({ name: 'which', arguments: {} })).content[0].text,
    close: () => {
      client.onclose = client.onerror = undefined
      return client.close()
    },
  })
}

async function openOurs(target, revision) {
  const opened = { told: 0, lost: [], stderr: '' }
  const stderr = (text) => {
    opened.stderr += text
  }
  const client = await connect(target.url ?? { ...target.command, stderr }, { revision })
  await client.listen({ tools: true }, () => opened.told++)
  return Object.assign(opened, {
    call: async () => (await client.callTool('which')).content[0].text,
    close: () => client.close(),
  })
}
