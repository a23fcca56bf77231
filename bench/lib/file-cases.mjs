// What somebody would expect of a server for files, and how each of two servers is asked for it. A case is a sentence,
// what each is told to do, and whether what came of it is what was expected.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** A folder with what the cases need, and another beside it that nobody may touch. */
export function createStage(base) {
  const [root, outside] = [join(base, 'root'), join(base, 'root-not')]
  for (const folder of [join(root, 'src', 'deep'), join(root, 'node_modules', 'x'), outside])
    mkdirSync(folder, { recursive: true })
  const files = {
    'lines.txt': 'one\ntwo\nthree\nfour\n',
    'twice.txt': 'a b a\n',
    'edit.txt': 'one\ntwo\nthree\n',
    'old.txt': 'old\n',
    'other.txt': 'other\n',
    'picture.png': PNG,
    'sound.wav': Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(40)]),
    'broken.txt': Buffer.from([0x61, 0xff, 0xfe, 0x62]),
    'large.txt': 'x'.repeat(99).concat('\n').repeat(80_000),
    'hang.txt': `${'a'.repeat(40)}!\n`,
    '.gitignore': 'node_modules\n',
    'src/a.ts': 'needle one\n',
    'src/deep/b.ts': 'Needle two\n',
    'src/deep/c.md': 'c\n',
    'node_modules/x/d.ts': 'needle\n',
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text)
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  writeFileSync(join(root, 'run.sh'), 'echo a\n')
  chmodSync(join(root, 'run.sh'), 0o750)
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'))
  symlinkSync(outside, join(root, 'way-out'))
  symlinkSync(join(outside, 'new.txt'), join(root, 'dangling.txt'))
  return { root, outside }
}

const textOf = ({ content = [] }) => content.map(({ text = '' }) => text).join('\n')
const failed = ({ isError, error }) => isError === true || error !== undefined
const none = undefined

/** Each: a sentence; what ours is asked; what theirs is asked, or nothing where it has no such thing; what is expected. */
export function fileCases({ root, outside }) {
  const at = (path) => join(root, path)
  const read = (path) => readFileSync(at(path), 'utf8')
  const both = (tool, args, theirTool = tool) => [
    [tool, args],
    [theirTool, args],
  ]
  const edit = (path, edits, more = {}) => both('edit_file', { path: at(path), edits, ...more })
  const moved = (from, to) => [
    ['move_file', { from: at(from), to: at(to) }],
    ['move_file', { source: at(from), destination: at(to) }],
  ]
  const refused = (answer) => failed(answer) && !textOf(answer).includes('secret\n')
  const untouched = () =>
    !existsSync(join(outside, 'new.txt')) && readFileSync(join(outside, 'secret.txt'), 'utf8') === 'secret'
  return {
    reading: [
      [
        'a text file is read as it is',
        ...both('read_file', { path: at('lines.txt') }, 'read_text_file'),
        (one) => textOf(one) === 'one\ntwo\nthree\nfour\n',
      ],
      [
        'lines 2 to 3 are read',
        ['read_file', { path: at('lines.txt'), startLine: 2, endLine: 3 }],
        none,
        (one) => textOf(one).trim() === 'two\nthree',
      ],
      [
        'the last two lines are read',
        ['read_file', { path: at('lines.txt'), startLine: -2 }],
        ['read_text_file', { path: at('lines.txt'), tail: 2 }],
        (one) => textOf(one).trim() === 'three\nfour',
      ],
      [
        'some bytes are read',
        ['read_file', { path: at('lines.txt'), offset: 4, length: 3 }],
        none,
        (one) => textOf(one) === 'two',
      ],
      [
        'a picture is a picture',
        ['read_file', { path: at('picture.png') }],
        ['read_media_file', { path: at('picture.png') }],
        ({ content }) => content?.some(({ type, mimeType }) => type === 'image' && mimeType === 'image/png'),
      ],
      [
        'a sound is a sound',
        ['read_file', { path: at('sound.wav') }],
        ['read_media_file', { path: at('sound.wav') }],
        ({ content }) => content?.some(({ type }) => type === 'audio'),
      ],
      [
        'of several files those that are there come',
        ['read_files', { paths: [at('old.txt'), at('no.txt')] }],
        ['read_multiple_files', { paths: [at('old.txt'), at('no.txt')] }],
        (one) => !failed(one) && textOf(one).includes('old\n'),
      ],
      [
        'what is no text is refused, not garbled',
        ...both('read_file', { path: at('broken.txt') }, 'read_text_file'),
        (one) => failed(one),
      ],
      [
        'a file of 8 MB does not fill the context',
        ...both('read_file', { path: at('large.txt') }, 'read_text_file'),
        (one) => textOf(one).length < 2_000_000,
      ],
      [
        'two lines of a file of 8 MB are read',
        ['read_file', { path: at('large.txt'), startLine: 70_000, endLine: 70_001 }],
        none,
        (one) => textOf(one).length === 200,
      ],
      [
        'a path tells what it is',
        ['file_info', { path: at('old.txt') }],
        ['get_file_info', { path: at('old.txt') }],
        (one) => /\b4\b/.test(textOf(one) + JSON.stringify(one.structuredContent ?? '')),
      ],
    ],
    changing: [
      [
        'a file is written, and keeps its rights',
        ...both('write_file', { path: at('run.sh'), content: 'echo b\n' }),
        () => read('run.sh') === 'echo b\n' && (statSync(at('run.sh')).mode & 0o777) === 0o750,
      ],
      [
        'an exact piece is replaced',
        ...edit('edit.txt', [{ oldText: 'two', newText: 'zwei' }]),
        () => read('edit.txt') === 'one\nzwei\nthree\n',
      ],
      [
        'of two edits one does not fit: nothing changes',
        ...edit('edit.txt', [
          { oldText: 'one', newText: 'eins' },
          { oldText: 'no', newText: 'x' },
        ]),
        (one) => failed(one) && read('edit.txt').startsWith('one'),
      ],
      [
        'a piece that stands twice is not guessed at',
        ...edit('twice.txt', [{ oldText: 'a', newText: 'x' }]),
        (one) => failed(one) && read('twice.txt') === 'a b a\n',
      ],
      [
        '$& in a new text is $&',
        ...edit('old.txt', [{ oldText: 'old', newText: '$&$&' }]),
        () => read('old.txt') === '$&$&\n',
      ],
      [
        'a dry run shows a diff and writes nothing',
        ...edit('other.txt', [{ oldText: 'other', newText: 'new' }], { dryRun: true }),
        (one) => textOf(one).includes('@@ -1') && read('other.txt') === 'other\n',
      ],
      [
        'folders are made with those above them',
        ...both('create_directory', { path: at('p/q/r') }),
        () => existsSync(at('p/q/r')),
      ],
      [
        'a file is moved',
        ...moved('other.txt', 'p/other.txt'),
        () => existsSync(at('p/other.txt')) && !existsSync(at('other.txt')),
      ],
      [
        'a move does not overwrite',
        ...moved('twice.txt', 'lines.txt'),
        (one) => failed(one) && read('lines.txt').startsWith('one'),
      ],
      [
        'a file is copied',
        ['copy_file', { from: at('lines.txt'), to: at('copy.txt') }],
        none,
        () => existsSync(at('copy.txt')),
      ],
    ],
    finding: [
      [
        'a tree is without what .gitignore names',
        ...both('directory_tree', { path: root }),
        (one) => /b\.ts/.test(textOf(one)) && !/node_modules/.test(textOf(one)),
      ],
      [
        'files are found by a glob',
        ['search_files', { path: root, name: 'src/**/*.ts' }],
        ['search_files', { path: root, pattern: 'src/**/*.ts' }],
        (one) => /a\.ts/.test(textOf(one)) && /b\.ts/.test(textOf(one)) && !/c\.md/.test(textOf(one)),
      ],
      [
        'lines are found by words',
        ['search_files', { path: root, text: 'needle' }],
        none,
        (one) => /a\.ts:1/.test(textOf(one)) && !/node_modules/.test(textOf(one)),
      ],
      [
        '^(a+)+$ does not hang it',
        ['search_files', { path: root, name: 'hang.txt', pattern: '^(a+)+$' }],
        none,
        (one) => one !== undefined,
      ],
    ],
    confined: [
      [
        '.. is refused',
        ...both('read_file', { path: `${root}/src/../../root-not/secret.txt` }, 'read_text_file'),
        refused,
      ],
      [
        'a folder with a longer name is outside',
        ...both('read_file', { path: join(outside, 'secret.txt') }, 'read_text_file'),
        refused,
      ],
      [
        'a link that leads out is not read',
        ...both('read_file', { path: at('link.txt') }, 'read_text_file'),
        refused,
      ],
      [
        'a link that leads out is not listed',
        ...both('list_directory', { path: at('way-out') }),
        (one) => failed(one) || !textOf(one).includes('secret'),
      ],
      [
        'a link that leads to nothing outside is not written through',
        ...both('write_file', { path: at('dangling.txt'), content: 'x' }),
        () => untouched(),
      ],
    ],
  }
}
