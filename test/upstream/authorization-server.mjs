// A real authorization server, at which everybody is alice and agrees to everything.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'

export async function startAuthorizationServer({ resource, seconds = 600, documents = {}, clients = [] }) {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${http.address().port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(0),
    clients,
    jwks: { keys: [await exportJWK(privateKey)] },
    cookies: { keys: ['only for tests'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    pkce: { required: () => true },
    ttl: { AccessToken: seconds, Grant: 3600, Session: 3600, Interaction: 600, RefreshToken: 3600 },
    rotateRefreshToken: true,
    scopes: ['openid', 'offline_access', 'tools'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'tools',
          audience: resource,
          accessTokenTTL: seconds,
          accessTokenFormat: 'jwt',
        }),
      },
    },
    fetch: (url, options) => {
      const document = documents[String(url)]
      return document === undefined
        ? fetch(url, options)
        : new Response(JSON.stringify(document), { headers: { 'content-type': 'application/json' } })
    },
  })
  const handle = provider.callback()
  let registrations = 0
  provider.on('registration_create.success', () => registrations++)
  http.on('request', (request, response) => {
    if (request.url.startsWith('/interaction/')) void agree(provider, request, response, resource)
    else handle(request, response)
  })
  const grants = new Set()
  let granted = 0
  provider.on('grant.success', (ctx) => {
    granted++
    grants.add(ctx.oidc.entities.Grant?.jti)
  })
  return {
    issuer,
    granted: () => granted,
    registrations: () => registrations,
    revokeAll: async () => {
      for (const id of grants) {
        await (await provider.Grant.find(id))?.destroy()
        await provider.RefreshToken.revokeByGrantId(id)
      }
    },
    close: () => {
      http.closeAllConnections()
      http.close()
    },
  }
}

async function agree(provider, request, response, resource) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'alice' } })
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope(params.scope ?? '')
  grant.addResourceScope(resource, 'tools')
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
}
