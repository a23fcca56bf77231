import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { packageFolder } from '../../../process/package-folder.ts'
import type { HttpHeaders } from '../exchange.ts'

/** A file of the page, as it is served. */
export interface Asset {
  readonly headers: HttpHeaders
  read(): string
}

const HTML = 'text/html; charset=utf-8'

/** Of all but the pages, which have addresses of their own. */
const TYPES: { readonly [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

/** Nothing on the page comes from elsewhere, and no text that is shown can become a script. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** An app of a server may run scripts of its own, in a document that belongs to nobody and reaches nothing. */
const FRAME_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data:',
  'media-src data: blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
}

/** What is served at which path: what the build has put into its folder, never what an address names. */
export function listAssets(
  folder: string = join(packageFolder(), 'dist', 'console'),
): ReadonlyMap<string, Asset> {
  const built = existsSync(folder) ? readdirSync(folder) : []
  const assets = new Map<string, Asset>()
  for (const file of built) {
    const type = TYPES[extname(file)]
    if (type === undefined) continue
    const path = join(folder, file)
    assets.set(`/console/${file}`, {
      headers: { ...COMMON, 'content-type': type },
      read: () => readFileSync(path, 'utf8'),
    })
  }
  const page = (file: string, policy: string): Asset => ({
    headers: { ...COMMON, 'content-type': HTML, 'content-security-policy': policy },
    read: () => (built.includes(file) ? readFileSync(join(folder, file), 'utf8') : NOT_BUILT),
  })
  assets.set('/console', page('index.html', PAGE_POLICY))
  assets.set('/console/frame', page('frame.html', FRAME_POLICY))
  return assets
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Console</title>
<h1>The page of this console has not been built</h1>
<p>It is part of the package; where you work on the package itself, <code>npm run build</code> makes it.</p>
</html>
`
