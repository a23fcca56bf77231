import { extname } from 'node:path'

/** By the end of a name; undefined where that says nothing. */
export function findMimeType(name: string): string | undefined {
  return MIME_TYPES.get(extname(name).toLowerCase())
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ['.avif', 'image/avif'],
  ['.bmp', 'image/bmp'],
  ['.css', 'text/css'],
  ['.csv', 'text/csv'],
  ['.docx', `${OFFICE}.wordprocessingml.document`],
  ['.flac', 'audio/flac'],
  ['.gif', 'image/gif'],
  ['.gz', 'application/gzip'],
  ['.htm', 'text/html'],
  ['.html', 'text/html'],
  ['.ico', 'image/x-icon'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript'],
  ['.json', 'application/json'],
  ['.jsonl', 'application/jsonl'],
  ['.m4a', 'audio/mp4'],
  ['.md', 'text/markdown'],
  ['.mjs', 'text/javascript'],
  ['.mp3', 'audio/mpeg'],
  ['.mp4', 'video/mp4'],
  ['.ogg', 'audio/ogg'],
  ['.pdf', 'application/pdf'],
  ['.png', 'image/png'],
  ['.pptx', `${OFFICE}.presentationml.presentation`],
  ['.py', 'text/x-python'],
  ['.rb', 'text/x-ruby'],
  ['.sh', 'text/x-shellscript'],
  ['.sql', 'application/sql'],
  ['.svg', 'image/svg+xml'],
  ['.tar', 'application/x-tar'],
  ['.toml', 'application/toml'],
  ['.ts', 'text/x-typescript'],
  ['.ttf', 'font/ttf'],
  ['.txt', 'text/plain'],
  ['.wasm', 'application/wasm'],
  ['.wav', 'audio/wav'],
  ['.webp', 'image/webp'],
  ['.woff2', 'font/woff2'],
  ['.xlsx', `${OFFICE}.spreadsheetml.sheet`],
  ['.xml', 'application/xml'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
  ['.zip', 'application/zip'],
])
