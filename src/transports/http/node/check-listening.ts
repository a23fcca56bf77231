import { expecting, membersOf, number, oneOf, type Server } from '../../../kernel/index.ts'
import { checkSettings } from '../check-settings.ts'
import type { ListenSettings } from './listen.ts'

/** Before anything is opened that would have to be closed again. */
export function checkListening(server: Server, settings: ListenSettings): void {
  const { host, port, requestMs, greeting, supervise: keeping = false } = settings
  checkOwn({ host, port, requestMs, greeting }, 'serveHttp')
  if (keeping !== false) checkKeeping(keeping, 'serveHttp: supervise')
  checkSettings('serveHttp', server, settings)
}

const above0 = expecting('a number above 0', (value) => typeof value === 'number' && value > 0)

const checkOwn = membersOf({
  host: expecting('an address such as 127.0.0.1', (value) => typeof value === 'string' && value !== ''),
  port: expecting(
    'a port up to 65535',
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536,
  ),
  requestMs: above0,
  greeting: oneOf('on-a-terminal', 'none'),
})

const checkKeeping = membersOf({ graceMs: number }, { needed: ['graceMs'] })
