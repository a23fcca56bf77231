import { expect, it } from 'vitest'
import { metadataPlaces } from './discover.ts'
import { oauth } from './oauth.ts'

const ISSUER = 'https://issuer.example.com'
const RESOURCE = 'https://mcp.example.com/mcp'
const NO_USER = (name: string) =>
  `${name}: expected a URL without a user or a password in it, such as https://`

it.each([
  ['an algorithm without a signature', { algorithms: ['none'] }, 'algorithms: none'],
  ['an algorithm with a shared secret', { algorithms: ['ES256', 'HS256'] }, 'algorithms: HS256'],
  ['no algorithm at all', { algorithms: [] }, 'algorithms: expected at least one'],
  ['an issuer that is no URL', { issuer: 'issuer' }, 'issuer: expected a URL'],
  ['an issuer without https', { issuer: 'http://issuer.example.com' }, 'issuer: expected a URL with https'],
  ['keys without https', { jwksUri: 'http://issuer.example.com/keys' }, 'jwksUri: expected a URL with https'],
  ['an issuer with a password', { issuer: 'https://ann:hunter2@issuer.example.com' }, NO_USER('issuer')],
  ['an issuer with a user', { issuer: 'https://ann@issuer.example.com' }, NO_USER('issuer')],
  ['an issuer with a query', { issuer: `${ISSUER}?key=hunter2` }, 'issuer: expected a URL without query'],
  ['keys with a password', { jwksUri: 'https://ann:hunter2@issuer.example.com/keys' }, NO_USER('jwksUri')],
  ['a resource with a password', { resource: 'https://:hunter2@mcp.example.com/mcp' }, NO_USER('resource')],
  ['a resource with a fragment', { resource: `${RESOURCE}#a` }, 'without query or fragment'],
])('%s is refused at the start', (_title, options, reason) => {
  const refused = () => oauth({ issuer: ISSUER, resource: RESOURCE, ...options })
  expect(refused).toThrow(reason)
  expect(refused).not.toThrow('hunter2')
})

it('has its metadata at both places, in the canonical form of its URL', () => {
  const { documents } = oauth({
    issuer: ISSUER,
    resource: 'HTTPS://MCP.example.com/mcp/',
    scopesSupported: ['files'],
  })
  expect(Object.keys(documents)).toEqual([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ])
  for (const document of Object.values(documents)) {
    expect(JSON.parse(document)).toEqual({
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      scopes_supported: ['files'],
      bearer_methods_supported: ['header'],
    })
  }
})

it('has one place for a server without a path', () => {
  const { documents, challenge } = oauth({ issuer: ISSUER, resource: 'https://mcp.example.com' })
  expect(Object.keys(documents)).toEqual(['/.well-known/oauth-protected-resource'])
  expect(challenge(['a'])['www-authenticate']).toContain(
    'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"',
  )
})

it('names what every request needs in each challenge, and nothing twice', () => {
  const { challenge } = oauth({ issuer: ISSUER, resource: RESOURCE, scopes: ['base'] })
  expect(challenge(['files:read', 'base'])['www-authenticate']).toBe(
    'Bearer error="insufficient_scope", scope="base files:read", ' +
      'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
  )
})

it('looks for the metadata of an issuer with a path before and after the path', () => {
  expect(metadataPlaces('https://issuer.example.com/tenant/')).toEqual([
    'https://issuer.example.com/.well-known/oauth-authorization-server/tenant',
    'https://issuer.example.com/.well-known/openid-configuration/tenant',
    'https://issuer.example.com/tenant/.well-known/oauth-authorization-server',
    'https://issuer.example.com/tenant/.well-known/openid-configuration',
  ])
})
