import { dynamicClientRegistrationRequest, processDynamicClientRegistrationResponse } from 'oauth4webapi'
import { isObject, parseJson } from '../../../kernel/index.ts'
import { methodOf, methodToAsk } from './client-auth.ts'
import type { SignInPlace } from './discover.ts'
import { asking } from './oauth-fetch.ts'
import type { RegisteredClient, SignedIn } from './token-book.ts'

interface ClientHints {
  /** What somebody has said. */
  readonly given?: Pick<RegisteredClient, 'id' | 'secret' | 'method'> | undefined
  readonly before?: SignedIn | undefined
  readonly now: number
}

/** How this program is known there: by what somebody has said, as before, or by registering now. */
export async function findClient(
  place: SignInPlace,
  redirect: string,
  { given, before, now }: ClientHints,
): Promise<RegisteredClient> {
  const { server } = place
  if (given !== undefined && isReadable(given.id, place)) {
    checkPlace(given.id, place, before)
    const { secret, method: said } = given
    return { ...given, method: methodOf(server, { secret, said }), redirect, registered: false }
  }
  const known = before?.client
  const isKnown =
    known?.registered === true && known.redirect === redirect && before?.issuer === server.issuer
  return isKnown && (known.until ?? now) >= now ? known : register(place, redirect)
}

/** A document is read by some; whoever does not read it may let a program register. */
function isReadable(id: string, { server }: SignInPlace): boolean {
  if (!isDocument(id) || server['client_id_metadata_document_supported'] === true) return true
  if (server.registration_endpoint !== undefined) return false
  throw new Error(`${server.issuer} does not read documents of clients: ${id} must be registered there`)
}

function isDocument(id: string): boolean {
  return /^https:/.test(id)
}

/** What a client is known by at one place is none of another's business, whoever the server sends it to. */
export function checkPlace(
  id: string,
  { server, isChosen }: SignInPlace,
  before: SignedIn | undefined,
): void {
  if (isChosen || isDocument(id) || before?.client.id !== id || before.issuer === server.issuer) return
  throw new Error(
    `${id} is known at ${before.issuer}, and the server sends it to ${server.issuer} now. If it is known there as well, name that place as issuer`,
  )
}

async function register(place: SignInPlace, redirect: string): Promise<RegisteredClient> {
  const { server, resource, isGuessed } = place
  if (server.registration_endpoint === undefined)
    throw new Error(
      `${server.issuer} lets no program register itself. Register one there with the redirect URI ${redirect}, and name it: --client-id ID`,
    )
  const asked = methodToAsk(server)
  const response = await dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'Perigee gateway',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: asked,
      application_type: 'native',
    },
    asking(new URL(resource)),
  )
  if (isGuessed && !(await isTaken(response))) throw nobodyThere(place, response)
  const answer = await processDynamicClientRegistrationResponse(await asMeant(response))
  const secret = typeof answer.client_secret === 'string' ? answer.client_secret : undefined
  const until = answer.client_secret_expires_at
  return {
    id: answer.client_id,
    ...(secret !== undefined && { secret }),
    method: methodOf(server, { secret, said: answer['token_endpoint_auth_method'] }),
    ...(typeof until === 'number' && until > 0 && { until: until * 1000 }),
    redirect,
    registered: true,
  }
}

/** Whether a program has been registered; many sites answer with a page whatever they are told. */
async function isTaken(response: Response): Promise<boolean> {
  return response.ok && parseJson(await response.clone().text()) !== undefined
}

function nobodyThere(
  { server: { issuer, registration_endpoint: at } }: SignInPlace,
  { ok, status }: Response,
): Error {
  return new Error(
    `nobody can be found who signs you in: ${issuer} tells nothing of itself, and lets no program register itself (${at} answers ${status}${ok ? ' and no JSON' : ''})`,
  )
}

/** RFC 7591 wants a 201, and to be told when a secret expires: many say 200, or not that it never does. */
async function asMeant(response: Response): Promise<Response> {
  const { ok, headers } = response
  const status = ok ? 201 : response.status
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isObject(answer)
    ? new Response(JSON.stringify({ client_secret_expires_at: 0, ...answer }), { status, headers })
    : response
}
