import type { DevChild } from './child.ts'
import type { Seat } from './keeper.ts'

/** Several ways to one child: a pipe, and a port for the console beside it. */
export function together(seats: readonly Seat[]): Seat {
  return {
    async move(next: DevChild) {
      for (const seat of seats) await seat.move(next)
    },
    hold() {
      for (const seat of seats) seat.hold()
    },
    release() {
      for (const seat of seats) seat.release()
    },
    lost(child, why) {
      for (const seat of seats) seat.lost(child, why)
    },
    async settle(child) {
      await Promise.all(seats.map((seat) => seat.settle(child)))
    },
    note(notice) {
      for (const seat of seats) seat.note(notice)
    },
  }
}
