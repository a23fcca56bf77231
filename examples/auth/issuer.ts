// A toy: whoever asks gets a token. Yours is Keycloak, Auth0, Entra or their like.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const issuer = 'http://127.0.0.1:8182'
const { publicKey, privateKey } = await generateKeyPair('ES256')
const keys = [{ ...(await exportJWK(publicKey)), kid: 'toy', alg: 'ES256' }]

const token = () =>
  new SignJWT({ scope: 'notes', client_id: 'toy-client' })
    .setProtectedHeader({ alg: 'ES256', kid: 'toy', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject('ann')
    .setAudience('http://127.0.0.1:8181/mcp')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)

createServer(({ url }, response) => {
  if (url === '/token') return void token().then((text) => response.end(text))
  const document = url === '/jwks' ? { keys } : { issuer, jwks_uri: `${issuer}/jwks` }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
}).listen(8182, '127.0.0.1', () => console.log(issuer))
