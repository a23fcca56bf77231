import { describe, expect, it } from 'vitest'
import { type Inbound, type Outbound, Traffic } from './traffic.ts'

function create({ maxArrivingBytes = 10_000, maxUnsentBytes = 100 } = {}) {
  let now = 0
  const traffic = new Traffic({ maxArrivingBytes, maxUnsentBytes }, () => now)
  const gone: string[] = []
  const sender = (name: string): Inbound => {
    const inbound: Inbound = {
      arriving: 0,
      sends: true,
      shed: () => {
        gone.push(name)
        traffic.taken(inbound)
      },
    }
    return inbound
  }
  const reader = (name: string, unread: number): Outbound & { unread: number } => ({
    unread,
    destroy: () => void gone.push(name),
  })
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { traffic, gone, sender, reader, pass }
}

describe('what is arriving', () => {
  it('has whoever has been at it longest go where it is too much, and no more of them than have to', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 20_500 })
    const [first, ...more] = ['first', 'second', 'third', 'fourth', 'fifth'].map(sender) as [Inbound]
    for (const one of [first, ...more]) traffic.arrive(one, 4100)
    expect([traffic.arriving, gone]).toEqual([20_500, []])
    traffic.arrive(first, 1)
    expect([traffic.arriving, gone]).toEqual([16_400, ['first']])
  })

  it('has nobody more go where there is just as much as may be', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 20_000 })
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) traffic.arrive(sender(name), 5000)
    expect([traffic.arriving, gone]).toEqual([20_000, ['first']])
  })

  it('has one go first who has taken a quarter of all, however long others have been at it', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 40_000 })
    const [first, second, greedy] = [sender('first'), sender('second'), sender('greedy')]
    traffic.arrive(first, 5000)
    traffic.arrive(second, 5000)
    traffic.arrive(greedy, 30_000)
    traffic.arrive(second, 1)
    expect([traffic.arriving, gone]).toEqual([10_001, ['greedy']])
  })

  it('has nobody go before those who have been at it longest for a quarter of all and no more', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 40_000 })
    traffic.arrive(sender('first'), 5000)
    for (const name of ['second', 'third', 'fourth']) traffic.arrive(sender(name), 10_000)
    traffic.arrive(sender('fifth'), 5001)
    expect([traffic.arriving, gone]).toEqual([35_001, ['first']])
  })

  it('has those go who have sent little where there are no others, and no call that is at work', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 10_000 })
    const atWork = { ...sender('at work'), sends: false }
    traffic.keep(sender('a head'), 1000)
    traffic.arrive(atWork, 1000)
    for (const name of ['first', 'second', 'third', 'fourth']) traffic.arrive(sender(name), 2000)
    expect([traffic.arriving, gone]).toEqual([10_000, []])
    traffic.arrive(sender('fifth'), 3000)
    expect([traffic.arriving, gone]).toEqual([9000, ['first', 'second']])
    traffic.arrive(atWork, 1001)
    expect([traffic.arriving, gone]).toEqual([8001, ['first', 'second', 'third']])
  })

  it('counts who begins to send again among those who have been at it least', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 10_000 })
    const again = { ...sender('again'), sends: false }
    traffic.arrive(again, 1000)
    traffic.arrive(sender('first'), 4000)
    traffic.arrive(sender('second'), 4000)
    traffic.arrive(sender('third'), 1001)
    expect([traffic.arriving, gone]).toEqual([6001, ['first']])
    again.sends = true
    traffic.arrive(again, 3000)
    traffic.arrive(sender('fourth'), 1000)
    expect(gone).toEqual(['first', 'second'])
  })

  it('leaves those alone who have sent little where others have sent more', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 5000 })
    const [little, much] = [sender('little'), sender('much')]
    traffic.arrive(little, 4096)
    traffic.arrive(much, 4097)
    expect([gone, traffic.arriving]).toEqual([['much'], 4096])
  })

  it('has nobody go for heads of requests that are no more than 4 KiB', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 5000 })
    for (const name of ['first', 'second']) traffic.keep(sender(name), 4096)
    expect([gone, traffic.arriving]).toEqual([[], 8192])
  })

  it('counts no more when it has been taken, nor is it much any more', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 5000 })
    const [first, second] = [sender('first'), sender('second')]
    traffic.arrive(first, 5000)
    traffic.taken(first, 904)
    traffic.arrive(second, 904)
    expect([traffic.arriving, first.arriving, gone]).toEqual([5000, 4096, []])
    traffic.arrive(second, 4000)
    expect([traffic.arriving, gone]).toEqual([4096, ['second']])
    traffic.taken(first)
    expect([traffic.arriving, first.arriving]).toEqual([0, 0])
    traffic.arrive(second, 5001)
    expect(gone).toEqual(['second', 'second'])
  })

  it('is still much where enough of it is left', () => {
    const { traffic, gone, sender } = create({ maxArrivingBytes: 5000 })
    const [first, second] = [sender('first'), sender('second')]
    traffic.arrive(first, 5000)
    traffic.taken(first, 903)
    traffic.arrive(second, 1000)
    expect(gone).toEqual(['first'])
  })
})

describe('what is unsent', () => {
  it('is full at its limit, until somebody reads or has had a second to do so', () => {
    const { traffic, gone, reader, pass } = create()
    const slow = reader('slow', 99)
    traffic.owe(slow)
    expect([traffic.full, traffic.unsent]).toEqual([false, 99])
    slow.unread = 100
    traffic.owe(slow)
    expect([traffic.full, traffic.unsent]).toEqual([true, 100])
    pass(999)
    expect([traffic.full, gone]).toEqual([true, []])
    slow.unread = 50
    expect([traffic.full, traffic.unsent]).toEqual([false, 50])
    slow.unread = 100
    traffic.owe(slow)
    pass(1)
    expect([traffic.full, gone, traffic.unsent]).toEqual([false, ['slow'], 0])
  })

  it('is what there is now, however much there was before', () => {
    const { traffic, reader } = create()
    const one = reader('one', 60)
    for (const unread of [60, 10, 100]) {
      one.unread = unread
      traffic.owe(one)
    }
    expect(traffic.full).toBe(true)
  })

  it('has the slowest go where it is too much, and no more of them than have to', () => {
    const { traffic, gone, reader, pass } = create()
    traffic.owe(reader('first', 50))
    traffic.owe(reader('second', 40))
    pass(1000)
    traffic.owe(reader('third', 10))
    expect(gone).toEqual([])
    traffic.owe(reader('fourth', 1))
    expect([gone, traffic.unsent]).toEqual([['first'], 51])
  })

  it('counts no more when it has been taken, and anew from then on', () => {
    const { traffic, gone, reader, pass } = create()
    const one = reader('one', 60)
    traffic.owe(one)
    traffic.settle(one)
    traffic.settle(one)
    expect(traffic.unsent).toBe(0)
    pass(1000)
    traffic.owe(one)
    traffic.owe(reader('other', 60))
    expect([gone, traffic.unsent]).toEqual([[], 120])
  })

  it('leaves no more room where something is taken that did not wait', () => {
    const { traffic, reader } = create()
    traffic.settle(reader('unknown', 60))
    traffic.owe(reader('other', 100))
    expect(traffic.full).toBe(true)
  })
})
