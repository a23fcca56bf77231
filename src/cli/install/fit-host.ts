import type { JsonObject } from '../../kernel/index.ts'
import type { InstallHost } from './hosts.ts'
import { eachVariable, type Installable, type LocalServer, variablesIn } from './installable.ts'
import { perigeeCommand } from './perigee-command.ts'
import type { HostShape } from './shapes.ts'

/** A server in the words of a host, or the reason why it has none for it. */
export type FittedEntry =
  | { readonly value: JsonObject; readonly notes: readonly string[] }
  | { readonly refused: string }

export function fitToHost(host: InstallHost, shape: HostShape, server: Installable): FittedEntry {
  const reason = shape.cannot?.(server)
  if (reason !== undefined) return { refused: `${host.name} ${reason}` }
  const { variable } = host
  if (variable === undefined) return fitWithoutVariables(host, shape, server)
  const said = (text: string) => eachVariable(text, (name) => variable.replace('*', name))
  return fitShape(host, shape, mapTexts(server, said))
}

/** What a host cannot fill in is left to the environment that it starts from, or cannot be said at all. */
function fitWithoutVariables(host: InstallHost, shape: HostShape, server: Installable): FittedEntry {
  const texts = 'url' in server ? [server.url, ...Object.values(server.headers)] : server.args
  const [wanted] = texts.flatMap(variablesIn)
  if (wanted !== undefined)
    return { refused: `${host.name} fills in no variables, and ${wanted} is one: give it as it is` }
  if ('url' in server) return fitShape(host, shape, server)
  const left = Object.keys(server.env).filter((name) => variablesIn(server.env[name] ?? '').length > 0)
  const env = Object.fromEntries(Object.entries(server.env).filter(([name]) => !left.includes(name)))
  const fitted = fitShape(host, shape, { ...server, env })
  if (left.length === 0 || 'refused' in fitted) return fitted
  const note = `${host.name} fills in no variables: ${left.join(', ')} must be set where it is started`
  return { ...fitted, notes: [...fitted.notes, note] }
}

function fitShape(host: InstallHost, shape: HostShape, server: Installable): FittedEntry {
  if (!('url' in server)) return { value: shape.local(server), notes: [] }
  const value = shape.remote(server)
  if (value !== undefined) return { value, notes: [] }
  if (Object.keys(server.headers).length > 0)
    return {
      refused: `${host.name} takes commands alone, and the gateway that stands in for an address has no headers`,
    }
  return {
    value: shape.local(behindGateway(server)),
    notes: [`${host.name} takes commands alone: it reaches ${server.url} by perigee gateway`],
  }
}

function behindGateway({ name, url }: { readonly name: string; readonly url: string }): LocalServer {
  return { name, ...perigeeCommand(['gateway', url]), env: {} }
}

/** The entry of a host in our words again. */
export function fromHost(host: InstallHost, server: Installable): Installable {
  const { variable } = host
  if (variable === undefined) return server
  const [before = '', after = ''] = variable.split('*').map((part) => part.replaceAll(/[${}]/g, '\\$&'))
  const pattern = new RegExp(`${before}([A-Za-z_]\\w*)${after}`, 'g')
  return mapTexts(server, (text) => text.replaceAll(pattern, (_whole, name: string) => `\${${name}}`))
}

/** The same with what the variables of this shell say; throws for one that is not set. */
export function fillIn(server: Installable): Installable {
  return mapTexts(server, (text) =>
    eachVariable(text, (name) => {
      const value = process.env[name]
      if (value === undefined) throw new Error(`the variable ${name} is not set here`)
      return value
    }),
  )
}

function mapTexts(server: Installable, change: (text: string) => string): Installable {
  const all = (values: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
  if ('url' in server) return { ...server, url: change(server.url), headers: all(server.headers) }
  return { ...server, args: server.args.map(change), env: all(server.env) }
}
