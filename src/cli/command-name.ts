import { basename } from 'node:path'

/** What starts something else, which is what one means by it. */
const STARTERS =
  /^(?:node|nodejs|bun|bunx|deno|tsx|npx|npm|pnpm|pnpx|yarn|uv|uvx|pipx|python[\d.]*|ruby|php|docker|podman|sh|bash|zsh)$/

/** Words of theirs that say how it is started. */
const WAYS = /^(?:run|exec|dlx|x|tool|start|eval)$/

/** What is followed by a program in so many words. */
const WORDED = /^(?:-\w*[ec]|-p|-pe|--eval|--print|--command)$/

/** What is followed by something that is not it. */
const VALUED = /^(?:-r|--require|--import|--loader|--env-file|--config|--directory)$/

/** What a server is called that is started by a command: its script or package, or what starts it. */
export function nameOfCommand([command = '', ...args]: readonly string[]): string {
  const starter = basename(command).replace(/\.(?:exe|cmd|bat)$/i, '')
  if (!STARTERS.test(starter)) return starter
  const isMeant = (one: string, before = '') =>
    !one.startsWith('-') && !WAYS.test(one) && !VALUED.test(before)
  const found = args.find((one, at) => WORDED.test(one) || isMeant(one, args[at - 1])) ?? '-'
  return found.startsWith('-') ? starter : basename(found).replace(/(?<=.)@[\w.^~-]*$/, '') || starter
}
