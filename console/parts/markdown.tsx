import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Block, parseMarkdown } from '../model/markdown.ts'
import type { Inline } from '../model/markdown-inline.ts'
import { Long, Outside, Plain } from './plain.tsx'

/** Markdown as elements; headings are set apart by looks, since they belong to a result and not to the page. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div class="prose">
      <Long text={text}>{(part) => <Blocks text={part} />}</Long>
    </div>
  )
}

function Blocks({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return <>{blocks.map(drawBlock)}</>
}

function drawBlock(block: Block, key: number): ComponentChildren {
  switch (block.kind) {
    case 'heading':
      return (
        <p key={key} class={`heading level-${block.level}`}>
          {block.inline.map(drawInline)}
        </p>
      )
    case 'paragraph':
      return <p key={key}>{block.inline.map(drawInline)}</p>
    case 'code':
      return (
        <pre key={key} class="code" tabIndex={0}>
          <Plain text={block.text} />
        </pre>
      )
    case 'quote':
      return <blockquote key={key}>{block.blocks.map(drawBlock)}</blockquote>
    case 'rule':
      return <hr key={key} />
    case 'list':
      return block.ordered ? (
        <ol key={key}>{block.items.map(drawItem)}</ol>
      ) : (
        <ul key={key}>{block.items.map(drawItem)}</ul>
      )
    case 'table':
      return <Table key={key} {...block} />
  }
}

function drawItem(blocks: readonly Block[], key: number) {
  const [only] = blocks
  return (
    <li key={key}>
      {blocks.length === 1 && only?.kind === 'paragraph'
        ? only.inline.map(drawInline)
        : blocks.map(drawBlock)}
    </li>
  )
}

function Table({ head, rows }: Extract<Block, { kind: 'table' }>) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="A table">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at} scope="col">
                {cell.map(drawInline)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{cell.map(drawInline)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function drawInline(inline: Inline, key: number): ComponentChildren {
  switch (inline.kind) {
    case 'text':
      return <Plain key={key} text={inline.text} />
    case 'code':
      return (
        <code key={key}>
          <Plain text={inline.text} />
        </code>
      )
    case 'strong':
      return <strong key={key}>{inline.inline.map(drawInline)}</strong>
    case 'emphasis':
      return <em key={key}>{inline.inline.map(drawInline)}</em>
    case 'strike':
      return <s key={key}>{inline.inline.map(drawInline)}</s>
    case 'link':
      return (
        <Outside key={key} href={inline.href}>
          {inline.inline.map(drawInline)}
        </Outside>
      )
    case 'break':
      return <br key={key} />
  }
}
