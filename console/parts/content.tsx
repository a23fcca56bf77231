import { useState } from 'preact/hooks'
import { isRecord, type JsonRecord, parseJson, toTable } from '../model/json.ts'
import { looksLikeMarkdown } from '../model/markdown.ts'
import { cut } from '../model/text.ts'
import { select } from '../state/selection.ts'
import { DataTable } from './data-table.tsx'
import { JsonTree } from './json-tree.tsx'
import { Markdown } from './markdown.tsx'
import { Long, Outside, Plain } from './plain.tsx'

/** One block of a result, by its type. */
export function Content({ block }: { readonly block: unknown }) {
  if (!isRecord(block)) return <JsonTree value={block} />
  const { type, text, resource } = block
  if (type === 'text' && typeof text === 'string') return <TextContent text={text} />
  if (type === 'image') return <Picture data={block['data']} mimeType={block['mimeType']} />
  if (type === 'audio') return <Sound data={block['data']} mimeType={block['mimeType']} />
  if (type === 'resource_link') return <ResourceLink link={block} />
  if (type === 'resource' && isRecord(resource)) return <Contents contents={resource} />
  return <JsonTree value={block} />
}

/** What a resource holds: text, or bytes. */
export function Contents({ contents }: { readonly contents: JsonRecord }) {
  const { uri, text, blob, mimeType } = contents
  const type = typeof mimeType === 'string' ? mimeType : ''
  return (
    <figure class="contents">
      <figcaption>
        <Plain text={cut(String(uri ?? ''), 500)} />{' '}
        <span class="quiet">
          <Plain text={cut(type, 100)} />
        </span>
      </figcaption>
      {typeof text === 'string' && <TextContent text={text} mimeType={type} />}
      {typeof blob === 'string' && <Bytes blob={blob} mimeType={type} name={String(uri ?? '')} />}
    </figure>
  )
}

type Way = 'text' | 'markdown' | 'json' | 'table'

const NAMES: { readonly [way in Way]: string } = {
  text: 'Text',
  markdown: 'Markdown',
  json: 'Tree',
  table: 'Table',
}

/** Text as what it seems to be, and as anything else it could be on request. */
export function TextContent({ text, mimeType = '' }: { readonly text: string; readonly mimeType?: string }) {
  const json = /^\s*[[{]/.test(text) && text.length < 5_000_000 ? parseJson(text) : undefined
  const table = toTable(json) ?? tableInside(json)
  const ways: readonly Way[] = [
    ...(table === undefined ? [] : (['table'] as const)),
    ...(json === undefined ? [] : (['json'] as const)),
    ...(isMarkdown(text, mimeType) && json === undefined ? (['markdown'] as const) : []),
    'text',
  ]
  const [chosen, choose] = useState<Way>()
  const way = chosen !== undefined && ways.includes(chosen) ? chosen : (ways[0] ?? 'text')
  return (
    <div class="text-content">
      {ways.length > 1 && <Ways ways={ways} way={way} choose={choose} />}
      {way === 'table' && table !== undefined && <DataTable {...table} />}
      {way === 'json' && <JsonTree value={json} />}
      {way === 'markdown' && <Markdown text={text} />}
      {way === 'text' && (
        <p class="plain-text">
          <Long text={text} />
        </p>
      )}
    </div>
  )
}

function Ways({
  ways,
  way,
  choose,
}: {
  readonly ways: readonly Way[]
  readonly way: Way
  readonly choose: (way: Way) => void
}) {
  return (
    <div class="ways" role="group" aria-label="Show as">
      {ways.map((one) => (
        <button key={one} type="button" aria-pressed={one === way} onClick={() => choose(one)}>
          {NAMES[one]}
        </button>
      ))}
    </div>
  )
}

function isMarkdown(text: string, mimeType: string): boolean {
  return /markdown/.test(mimeType) || (!/^text\/(?!plain)|json|xml/.test(mimeType) && looksLikeMarkdown(text))
}

/** `{ items: […] }` is a table as well, where the list is all that it holds much of. */
function tableInside(json: unknown) {
  const lists = isRecord(json) ? Object.values(json).filter(Array.isArray) : []
  return lists.length === 1 ? toTable(lists[0]) : undefined
}

const PICTURES = /^image\/(png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon)$/
const SOUNDS = /^audio\/[\w.+-]+$/
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/

function dataOf(data: unknown, mimeType: unknown, types: RegExp): string | undefined {
  if (typeof data !== 'string' || typeof mimeType !== 'string') return undefined
  return types.test(mimeType) && BASE64.test(data)
    ? `data:${mimeType};base64,${data.replaceAll(/\s/g, '')}`
    : undefined
}

function Picture({ data, mimeType }: { readonly data: unknown; readonly mimeType: unknown }) {
  const source = dataOf(data, mimeType, PICTURES)
  const [isBroken, breaks] = useState(false)
  if (source === undefined || isBroken)
    return <Unshown what="A picture that cannot be shown" type={mimeType} />
  return <img class="picture" src={source} alt="What the server gave" onError={() => breaks(true)} />
}

function Sound({ data, mimeType }: { readonly data: unknown; readonly mimeType: unknown }) {
  const source = dataOf(data, mimeType, SOUNDS)
  if (source === undefined) return <Unshown what="A sound that cannot be played" type={mimeType} />
  return <audio controls src={source} />
}

function Unshown({ what, type }: { readonly what: string; readonly type: unknown }) {
  return (
    <p class="quiet">
      {what} (<Plain text={cut(String(type), 80)} />)
    </p>
  )
}

function Bytes({
  blob,
  mimeType,
  name,
}: {
  readonly blob: string
  readonly mimeType: string
  readonly name: string
}) {
  if (PICTURES.test(mimeType)) return <Picture data={blob} mimeType={mimeType} />
  if (SOUNDS.test(mimeType)) return <Sound data={blob} mimeType={mimeType} />
  const source = dataOf(blob, 'application/octet-stream', /./)
  return (
    <p class="quiet">
      {Math.floor((blob.length * 3) / 4)} bytes{' '}
      {source !== undefined && (
        <a
          href={source}
          download={
            name
              .split('/')
              .at(-1)
              ?.replaceAll(/[^\w.-]/g, '_') ?? 'resource'
          }
        >
          Save
        </a>
      )}
    </p>
  )
}

function ResourceLink({ link }: { readonly link: JsonRecord }) {
  const uri = String(link['uri'] ?? '')
  const title = String(link['title'] ?? link['name'] ?? uri)
  const { description } = link
  return (
    <div class="resource-link">
      <button type="button" onClick={() => select({ kind: 'resource', key: uri })}>
        <Plain text={cut(title, 200)} />
      </button>
      <Outside href={uri} />
      {typeof description === 'string' && (
        <p class="quiet">
          <Long text={description} />
        </p>
      )}
    </div>
  )
}
