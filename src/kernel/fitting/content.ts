import type { ContentBlock, ResourceContents } from '../definitions/content.ts'
import type { Revision } from '../revisions/revision.ts'
import { fitAnnotated, fitFields } from './fields.ts'

/** A block of a kind that the revision has no word for is said in words it has. */
export function fitBlock(block: ContentBlock, revision: Revision): ContentBlock {
  if (block.type === 'text' && block.annotations === undefined && block._meta === undefined) return block
  const known = revision.contents.includes(block.type) ? block : reword(block)
  // A link has the fields of what it links to.
  const fitted = fitAnnotated(known.type === 'resource_link' ? 'resource' : 'content', known, revision)
  return fitted.type === 'resource' ? { ...fitted, resource: fitContents(fitted.resource, revision) } : fitted
}

/**
 * Content in the words that a revision has.
 * @example const blocks = fitBlocks([{ type: 'text', text: 'Hello' }], OLDEST)
 */
export function fitBlocks(blocks: readonly ContentBlock[], revision: Revision): readonly ContentBlock[] {
  return blocks.map((block) => fitBlock(block, revision))
}

/** What is read from a resource has the fields of content, less its annotations. */
export function fitContents(contents: ResourceContents, revision: Revision): ResourceContents {
  return fitFields('content', contents, revision)
}

function reword(block: ContentBlock): ContentBlock {
  if (block.type === 'resource_link')
    return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` }
  if (block.type === 'audio') {
    const { data, mimeType } = block
    return { type: 'resource', resource: { uri: `data:${mimeType}`, mimeType, blob: data } }
  }
  return block
}
