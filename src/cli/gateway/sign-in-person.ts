import type { SignInPlace } from '../../modules/upstream/sign-in/discover.ts'
import type { SignInSettings } from '../../modules/upstream/sign-in/settings.ts'
import type { RegisteredClient, SignedIn } from '../../modules/upstream/sign-in/token-book.ts'
import { saidBy } from '../../modules/upstream/sign-in/told.ts'
import { openBrowser } from './browser.ts'
import { countTools } from './count-tools.ts'
import type { NamedUpstream } from './named-upstream.ts'
import { NobodyCame, openRedirect, type Redirect } from './redirect.ts'

export interface PersonOptions {
  readonly settings: SignInSettings
  readonly before: SignedIn | undefined
  readonly patienceMs: number
  /** Whether a browser is opened. */
  readonly opens: boolean
}

/** Has a person sign in; gives why not where nobody needs to. */
export async function signInPerson(
  upstream: NamedUpstream,
  options: PersonOptions,
): Promise<SignedIn | string> {
  const { settings, before } = options
  const { discover } = await import('../../modules/upstream/sign-in/discover.ts')
  const place = await discover(upstream.url, { issuer: settings.issuer })
  const open = place.isWanted || place.isChosen ? undefined : await findOpen(upstream)
  if (open !== undefined) return open
  const redirect = await openPort(settings, before)
  try {
    return await signInBy(redirect, { upstream, place, options })
  } finally {
    redirect.close()
  }
}

/** What whoever says nothing of signing in lets everybody do; undefined where it does not. */
async function findOpen(upstream: NamedUpstream): Promise<string | undefined> {
  try {
    return `${upstream.name} wants nobody to sign in: it has ${await countTools(upstream)} for everybody.`
  } catch {
    return undefined // What is tried next says what is wrong.
  }
}

interface SigningPerson {
  readonly upstream: NamedUpstream
  readonly place: SignInPlace
  readonly options: PersonOptions
}

/** A program that is not known any more, although it has registered itself, does so again, once. */
async function signInBy(redirect: Redirect, person: SigningPerson): Promise<SignedIn> {
  const { upstream, place, options } = person
  const { findClient } = await import('../../modules/upstream/sign-in/registration.ts')
  const { checkScope } = await import('../../modules/upstream/sign-in/check-scope.ts')
  const { settings, before } = options
  checkScope(settings.scope, place)
  const hints = { given: clientIn(settings), now: Date.now() }
  const client = await findClient(place, redirect.address, { ...hints, before })
  const isOld = client.registered && client === before?.client
  try {
    return await signInAs(client, redirect, person)
  } catch (error) {
    if (!isOld) throw error
    if (error instanceof NobodyCame)
      throw new Error(
        `nobody has signed in. If the page does not know this program any more: perigee gateway logout ${upstream.typed}, and sign in again`,
      )
    if (saidBy(error)?.error !== 'invalid_client') throw error
  }
  const { host } = new URL(place.server.issuer)
  process.stderr.write(`${host} does not know this program any more, which registers itself again.\n`)
  return signInAs(await findClient(place, redirect.address, hints), redirect, person)
}

async function signInAs(
  client: RegisteredClient,
  redirect: Redirect,
  person: SigningPerson,
): Promise<SignedIn> {
  const { upstream, place, options } = person
  const { settings, patienceMs, opens } = options
  const { beginSignIn } = await import('../../modules/upstream/sign-in/sign-in.ts')
  const begun = await beginSignIn(place, client, settings.scope)
  process.stderr.write(
    `To sign in to ${upstream.name} at ${new URL(place.server.issuer).host}, open:\n\n  ${begun.url}\n\n`,
  )
  if (opens) openBrowser(begun.url)
  const stray = 'This is not the answer that is waited for. Sign in by the address in the terminal.'
  const answer = await redirect.answer((one) => (begun.isOurs(one) ? undefined : stray), patienceMs)
  return begun.finish(answer, Date.now())
}

function clientIn({ clientId: id, clientSecret: secret, tokenEndpointAuthMethod: method }: SignInSettings) {
  if (id === undefined) return undefined
  return { id, ...(secret !== undefined && { secret }), ...(method !== undefined && { method }) }
}

/** A program that has registered with an address is known by that; where it is taken, it registers again. */
async function openPort({ callbackPort }: SignInSettings, before: SignedIn | undefined): Promise<Redirect> {
  if (callbackPort !== undefined)
    return openRedirect(callbackPort).catch((error: NodeJS.ErrnoException) => {
      throw notOpened(callbackPort, error)
    })
  const { redirect } = before?.client ?? {}
  return openRedirect(redirect === undefined ? 0 : Number(new URL(redirect).port)).catch(() =>
    openRedirect(0),
  )
}

function notOpened(port: number, { code, message }: NodeJS.ErrnoException): Error {
  const why =
    code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code ?? message})`
  return new Error(
    `the browser is to come back to port ${port} (callbackPort in its oauth, or --port), which ${why}. ${code === 'EADDRINUSE' ? 'End that, or name' : 'Name'} another port with which the client is registered`,
  )
}
