import { gatewayServer } from '../../servers/gateway.ts'
import { readUpstreams, type WrittenUpstream } from '../gateway/read-upstreams.ts'
import { serve } from './serve.ts'

const FILE = '.mcp.json'

/** Serves what stands in hosts' files, at an address, or behind a command. */
export async function gateway(args: readonly string[]): Promise<void> {
  const { flags, one } = readArguments(args)
  const find = ({ lists }: { readonly lists: { readonly [name: string]: readonly string[] } }) => {
    const { from = [] } = lists
    return one ?? readUpstreams(from.length === 0 ? [FILE] : from)
  }
  await serve(gatewayServer(find), flags, 'perigee gateway')
}

interface GatewayArguments {
  /** The options, which are those of every server. */
  readonly flags: readonly string[]
  /** The one upstream that is named, where one is: then there is only that. */
  readonly one: { readonly [name: string]: WrittenUpstream } | undefined
}

function readArguments(args: readonly string[]): GatewayArguments {
  const end = args.indexOf('--')
  if (end >= 0) {
    const [command = '', ...rest] = args.slice(end + 1)
    return { flags: args.slice(0, end), one: { upstream: { command, args: rest } } }
  }
  const [first = '', ...flags] = args
  return /^https?:\/\//.test(first)
    ? { flags, one: { upstream: { url: first } } }
    : { flags: args, one: undefined }
}
