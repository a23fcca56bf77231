import {
  type Agreement,
  type Principal,
  restore,
  type ServerEvent,
  type Store,
} from '../../src/kernel/index.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { Session } from '../../src/transports/http/sessions/session.ts'
import { DEFAULTS, type HttpSettings } from '../../src/transports/http/settings.ts'
import { createSite, type HttpSite } from '../../src/transports/http/site.ts'
import { createSample } from './sample.ts'

export const ANN: Principal = { id: 'ann' }

export const AGREED: Agreement = {
  introduction: { revision: '2025-06-18', capabilities: {}, info: { name: 'client', version: '1' } },
  operating: true,
  logLevel: 'info',
}

/** Servers whose clock is ours; those that share their store are nodes. */
export function createSites(count: number, settings: Partial<HttpSettings> = {}) {
  let time = 1000
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const now = () => time
  const after = (milliseconds: number, run: () => void) => {
    const timer = { at: time + milliseconds, run }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const kept = new MemoryStore({ now })
  const store: Store = Object.assign(kept, { shared: count > 1 })
  const observed: ServerEvent[] = []
  const observe = (event: ServerEvent) => void observed.push(event)
  const sites = Array.from({ length: count }, () => {
    const secrets = ['a secret that all of them know']
    const { server } = createSample({ store, secrets, observe, reports: true })
    Object.assign(server.platform, { now, after })
    return createSite(server, { ...DEFAULTS, ...server.budgets, sessionIdleMs: 10_000, ...settings })
  })
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  /** The same with the clocks that run meanwhile. */
  const wait = async (milliseconds: number) => {
    for (const until = time + milliseconds; time < until; ) {
      time = Math.min(until, time + 100)
      for (const timer of [...timers]) if (timer.at <= time && timers.delete(timer)) timer.run()
      await settled()
    }
  }
  const sweep = () => {
    for (const { sessions } of sites) sessions.sweep(time)
  }
  const clocks = () => timers.size
  return { sites, kept, observed, pass, wait, sweep, clocks }
}

export async function openSession({ sessions }: HttpSite, id: string, principal = ANN): Promise<Session> {
  await sessions.admit(id, principal)
  const session = new Session(sessions, id, principal)
  restore(session.link, AGREED)
  await sessions.begin(session)
  return session
}

export async function adoptSession({ sessions }: HttpSite, id: string): Promise<Session> {
  const session = await sessions.adopt(id)
  if (session === undefined || session === 'foreign') throw new Error(`no session: ${session}`)
  return session
}

export function firstOf(sites: readonly HttpSite[]): HttpSite {
  const [site] = sites
  if (site === undefined) throw new Error('there is no site')
  return site
}

/** What is done without waiting for anything has been done. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate)
}
