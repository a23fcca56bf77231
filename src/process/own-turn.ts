/** What is made of more letters or bytes than this keeps others waiting. */
export const LARGE = 64 * 1024

/** As long as this part of what a piece has taken others have the loop: to answer who asks for little takes several turns. */
const OTHERS = 1 / 8

/** Browsers have timers alone. */
const { setTimeout: later, setImmediate: soon = later } = globalThis as {
  readonly setTimeout: (run: () => void, milliseconds?: number) => unknown
  readonly setImmediate?: (run: () => void) => unknown
}

/** Those who wait for a turn, whoever is next first. */
const waiting: (() => void)[] = []
let isArmed = false
let began = 0

/**
 * Resolves in a turn of the loop in which it resolves for nobody else. Whoever works for long waits for it before every
 * piece: many who do so at once hold the loop no longer than one piece takes, however many they are. Who holds much
 * between two pieces goes on `next`, so that only one of them does.
 */
export function ownTurn(place: 'last' | 'next' = 'last'): Promise<void> {
  return new Promise((resolve) => {
    if (place === 'next') waiting.unshift(resolve)
    else waiting.push(resolve)
    if (isArmed) return
    isArmed = true
    soon(giveTurn)
  })
}

/** Goes on with so much: at once where that is little, and else in a turn of its own, before anybody else begins. */
export function goOn(size: number, run: () => void): void {
  if (size <= LARGE) run()
  else void ownTurn('next').then(run)
}

function giveTurn(): void {
  began = performance.now()
  waiting.shift()?.()
  soon(rest)
}

function rest(): void {
  isArmed = waiting.length > 0
  if (!isArmed) return
  const pauseMs = (performance.now() - began) * OTHERS
  if (pauseMs < 1) giveTurn()
  else later(giveTurn, pauseMs)
}
