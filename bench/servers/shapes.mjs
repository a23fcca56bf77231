// Twelve shapes of results, each with the facts in it that a model is meant to see, by a mark that stands in it.
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (words) => ({ type: 'text', text: words })
const picture = { type: 'image', data: PICTURE, mimeType: 'image/png' }
const data = { known: 'a-fact-of-data' }
const said = text('some-words-of-text')

/** About 250,000 tokens. */
const ROWS = Array.from({ length: 7000 }, (_, id) => ({
  id: `row-${id}-of-7000`,
  title: `Something that was found, number ${id}`,
  url: `https://example.com/found/${id}?page=${id % 13}`,
  tags: ['open', 'wanted'],
}))

const TEXT = { text: /some-words-of-text/ }
const DATA = { data: /a-fact-of-data/ }
const SHOWN_PICTURE = { picture: /"(image|input_image|image_url|file)"/ }

/** `typed` is for tools that promise data. */
export const SHAPES = [
  { name: 'text', what: 'a text', facts: TEXT, result: { content: [said] } },
  {
    name: 'texts',
    what: 'two texts',
    facts: { ...TEXT, 'second text': /more-words-of-it/ },
    result: { content: [said, text('more-words-of-it')] },
  },
  {
    name: 'bare_data',
    what: 'data alone',
    facts: DATA,
    typed: true,
    result: { content: [], structuredContent: data },
  },
  {
    name: 'twin_data',
    what: 'data, and a text of the same',
    facts: DATA,
    typed: true,
    result: { content: [text(JSON.stringify(data))], structuredContent: data },
  },
  {
    name: 'other_data',
    what: 'data, and a text that says something else',
    facts: { ...TEXT, ...DATA },
    typed: true,
    result: { content: [said], structuredContent: data },
  },
  { name: 'failure', what: 'a failure', facts: TEXT, result: { content: [said], isError: true } },
  {
    name: 'broken',
    what: 'a failure with data',
    facts: { ...TEXT, ...DATA },
    result: { content: [said], structuredContent: data, isError: true },
  },
  {
    name: 'picture',
    what: 'a picture and a text',
    facts: { ...TEXT, ...SHOWN_PICTURE },
    result: { content: [said, picture] },
  },
  {
    name: 'chart',
    what: 'a picture and data',
    facts: { ...DATA, ...SHOWN_PICTURE },
    typed: true,
    result: { content: [picture], structuredContent: data },
  },
  {
    name: 'sound',
    what: 'a sound and a text',
    facts: { ...TEXT, 'that there is a sound': /audio|sound/i },
    result: { content: [said, { type: 'audio', data: SOUND, mimeType: 'audio/wav' }] },
  },
  {
    name: 'link',
    what: 'a link and a file',
    facts: { link: /file:\/\/\/linked\.txt/, file: /what-is-in-the-file/ },
    result: {
      content: [
        { type: 'resource_link', uri: 'file:///linked.txt', name: 'linked.txt' },
        {
          type: 'resource',
          resource: { uri: 'file:///here.txt', mimeType: 'text/plain', text: 'what-is-in-the-file' },
        },
      ],
    },
  },
  {
    name: 'rows',
    what: '250,000 tokens of rows',
    facts: {
      rows: /row-20-of-7000/,
      'how to have the rest': /perigee:\/\/rest|saved to/i,
    },
    typed: true,
    result: { content: [text(JSON.stringify({ rows: ROWS }))], structuredContent: { rows: ROWS } },
  },
]
