// What somebody would expect of a place where agents keep things. A case is a sentence and what it takes to see whether
// it is so: `s` is a server by its verbs, and one that lacks a verb of a case lacks what the case is about.

import { setTimeout as sleep } from 'node:timers/promises'

/** Whether it was told that this cannot be. */
const refused = (work) =>
  Promise.resolve(work).then(
    () => false,
    () => true,
  )
const has = (list, ...texts) => texts.every((text) => list.includes(text))

export const CASES = {
  keeping: [
    [
      'what is kept is read back',
      ['keep', 'read'],
      async (s) => (await s.read(await s.keep('plain words'))) === 'plain words',
    ],
    [
      'every letter is kept: signs, quotes, another script, a new line',
      ['keep', 'read'],
      async (s) => {
        const text = 'Ünï 🪐 "quoted" \\ {}\n東京 \u202e end'
        return (await s.read(await s.keep(text))) === text
      },
    ],
    [
      'a text of 8,000 letters is kept whole',
      ['keep', 'read'],
      async (s) => (await s.read(await s.keep('long '.repeat(1600).trim()))).length === 7999,
    ],
    ['nothing but blanks is refused', ['nothing'], (s) => refused(s.nothing())],
    ['a number in the place of a text is refused', ['number'], (s) => refused(s.number())],
    ['an argument that is misspelt is told', ['wrong'], (s) => refused(s.wrong('x'))],
    [
      'several are kept with one call',
      ['keepAll', 'find'],
      async (s) => {
        await s.keepAll(['all of them one', 'all of them two'])
        return (await s.find('all of them')).length === 2
      },
    ],
    [
      'what is there already is not made twice',
      ['keepOnce', 'find'],
      async (s) => {
        await s.keepOnce('only once')
        return (await s.find('only once')).length === 1
      },
    ],
    [
      '16 that are kept at once are all kept',
      ['keep', 'find'],
      async (s) => {
        await Promise.all(Array.from({ length: 16 }, (_, n) => s.keep(`together ${n}`)))
        return (await s.find('together')).length === 16
      },
    ],
  ],
  finding: [
    [
      'by a word',
      ['keep', 'find'],
      async (s) => {
        await s.keep('buy milk')
        return has(await s.find('milk'), 'buy milk')
      },
    ],
    [
      'by a word in other letters',
      ['keep', 'find'],
      async (s) => {
        await s.keep('Äpfel schälen')
        return has(await s.find('ÄPFEL'), 'Äpfel schälen')
      },
    ],
    [
      'by the beginning of a word',
      ['keep', 'find'],
      async (s) => {
        await s.keep('telephone Ann')
        return has(await s.find('teleph'), 'telephone Ann')
      },
    ],
    [
      'by the middle of a word',
      ['keep', 'find'],
      async (s) => {
        await s.keep('breakfast')
        return has(await s.find('eakfa'), 'breakfast')
      },
    ],
    [
      'by two words in any order',
      ['keep', 'find'],
      async (s) => {
        await s.keep('call the plumber')
        return has(await s.find('plumber call'), 'call the plumber')
      },
    ],
    [
      'by a letter that is spelled in two ways',
      ['keep', 'find'],
      async (s) => {
        await s.keep('cafe\u0301 visit')
        return has(await s.find('café'), 'cafe\u0301 visit')
      },
    ],
    [
      'in a script without spaces',
      ['keep', 'find'],
      async (s) => {
        await s.keep('東京都へ行く')
        return has(await s.find('京都'), '東京都へ行く')
      },
    ],
    [
      'a word that nothing has finds nothing',
      ['find'],
      async (s) => (await s.find('nothingofthekind')).length === 0,
    ],
    [
      'by what kind they are',
      ['keep', 'ofKind'],
      async (s) => {
        await s.keep('of a kind', 'errand')
        return has(await s.ofKind('errand'), 'of a kind')
      },
    ],
    [
      'what is not there is told, or nothing is given',
      ['readMissing'],
      async (s) => {
        const given = await Promise.resolve(s.readMissing()).catch(() => undefined)
        return given === undefined || given.entities.length === 0
      },
    ],
    [
      'the newest is told from the others',
      ['keep', 'newest'],
      async (s) => {
        await s.keep('the very last')
        return (await s.newest()) === 'the very last'
      },
    ],
    [
      'what is many comes in pages',
      ['keep', 'page'],
      async (s) => {
        for (let n = 0; n < 20; n++) await s.keep(`page ${n}`)
        const [first, next] = await s.page()
        return first.length === 10 && next.length === 10 && !has(first, next[0])
      },
    ],
  ],
  changing: [
    [
      'something is changed, and found by its new words',
      ['keep', 'change', 'find'],
      async (s) => {
        await s.change(await s.keep('before the change'), 'afterwards')
        return (await s.find('afterwards')).length === 1
      },
    ],
    ['a change of what is not there is refused', ['changeMissing'], (s) => refused(s.changeMissing())],
    [
      'whoever has not seen the last change is told',
      ['changeSeen', 'keep'],
      async (s) => {
        const id = await s.keep('seen by two')
        return refused(s.changeSeen(id, 'mine'))
      },
    ],
    [
      'one agent at a time works on something',
      ['claim', 'keep'],
      async (s) => {
        const id = await s.keep('for one of us')
        await s.claim(id, 'ann')
        return refused(s.claim(id, 'bob'))
      },
    ],
    [
      'one is linked to another, and unlinked',
      ['link', 'linked', 'unlink'],
      async (s) => {
        const [from, to] = [await s.keep('link from'), await s.keep('link to')]
        await s.link(from, to)
        const linked = await s.linked(from)
        await s.unlink(from, to)
        return has(linked, to) && (await s.linked(from)).length === 0
      },
    ],
    [
      'a link to what is not there is refused',
      ['link', 'keep'],
      async (s) => refused(s.link(await s.keep('link nowhere'), 'none')),
    ],
    [
      'what is deleted is found no more',
      ['remove', 'keep', 'find'],
      async (s) => {
        await s.remove(await s.keep('short lived'))
        return (await s.find('short lived')).length === 0
      },
    ],
    ['deleting what is not there is told', ['removeMissing'], (s) => refused(s.removeMissing())],
    [
      'what was deleted is brought back',
      ['restore', 'remove', 'keep', 'find'],
      async (s) => {
        const id = await s.keep('deleted by mistake')
        await s.remove(id)
        await s.restore(id)
        return (await s.find('mistake')).length === 1
      },
    ],
    [
      'what was done to it can be looked up',
      ['history', 'keep', 'change'],
      async (s) => {
        const id = await s.keep('with a past')
        await s.change(id, 'with a present')
        return (await s.history(id)).length === 2
      },
    ],
    [
      'whoever subscribes hears of a change',
      ['watched', 'keep', 'change'],
      async (s, client) => {
        const id = await s.keep('watched by somebody')
        let hear
        const heard = new Promise((resolve) => {
          hear = () => resolve(true)
        })
        await client.subscribe(s.watched(id), hear)
        await s.change(id, 'changed while watched')
        return Promise.race([heard, sleep(3000, false)])
      },
    ],
  ],
}
