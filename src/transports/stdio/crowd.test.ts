import { expect, it } from 'vitest'
import { Crowd } from './crowd.ts'

function create(most: number) {
  const crowd = new Crowd(most)
  const woken: string[] = []
  const join = (name: string) => {
    const member = { working: 0, goOn: () => void woken.push(name) }
    crowd.tell(member)
    return member
  }
  return { crowd, woken, join }
}

it('has room for so many calls, and for a part of each that has fewer', () => {
  const { crowd, join } = create(4)
  const [one, other] = [join('one'), join('other')]
  one.working = 3
  expect(crowd.hasRoom(one)).toBe(true)
  one.working = 4
  expect([crowd.hasRoom(one), crowd.working]).toEqual([false, 4])
  other.working = 1
  expect(crowd.hasRoom(other)).toBe(true)
  other.working = 2
  expect([crowd.hasRoom(other), crowd.working]).toEqual([false, 6])
})

it('is the same when a connection has left that never asked for anything', () => {
  const { crowd, join } = create(4)
  const one = join('one')
  one.working = 3
  crowd.leave({ working: 0, goOn: () => {} })
  expect([crowd.hasRoom(one), crowd.working]).toEqual([true, 3])
})

it('has as many go on as there are places again, and each once', () => {
  const { crowd, woken, join } = create(3)
  const busy = join('busy')
  const others = ['a', 'b', 'c', 'd'].map(join)
  busy.working = 3
  for (const one of [busy, ...others]) {
    expect(crowd.hasRoom(one)).toBe(false)
    crowd.wait(one)
    crowd.wait(one)
  }
  busy.working = 1
  crowd.tell(busy)
  expect(woken).toEqual(['busy', 'a'])
  busy.working = 3
  crowd.tell(busy)
  expect(woken).toEqual(['busy', 'a'])
})

it('has the next go on where who went on has taken nothing up', () => {
  const { crowd, woken, join } = create(1)
  const [busy, idle, waiting] = [join('busy'), join('idle'), join('waiting')]
  busy.working = 1
  expect([crowd.hasRoom(busy), crowd.hasRoom(idle)]).toEqual([false, false])
  crowd.wait(idle)
  crowd.wait(waiting)
  busy.working = 0
  crowd.tell(busy)
  expect(woken).toEqual(['idle'])
  crowd.tell(idle)
  expect(woken).toEqual(['idle', 'waiting'])
})

it('has all go on when somebody has left, since the part of each is larger', () => {
  const { crowd, woken, join } = create(3)
  const busy = join('busy')
  const [a, b, c] = [join('a'), join('b'), join('c')]
  busy.working = 3
  crowd.tell(busy)
  for (const one of [a, b]) {
    expect(crowd.hasRoom(one)).toBe(false)
    crowd.wait(one)
  }
  crowd.leave(c)
  expect(woken).toEqual(['a', 'b'])
  expect([crowd.hasRoom(a), crowd.hasRoom(b)]).toEqual([true, true])
})

it('does not wake whoever has left, and has room for one however few there may be', () => {
  const { crowd, woken, join } = create(0)
  const [busy, waiting] = [join('busy'), join('waiting')]
  expect(crowd.hasRoom(busy)).toBe(true)
  busy.working = 1
  crowd.tell(busy)
  expect(crowd.hasRoom(waiting)).toBe(false)
  crowd.wait(waiting)
  crowd.leave(waiting)
  crowd.leave(busy)
  expect([woken, crowd.working]).toEqual([[], 0])
})
