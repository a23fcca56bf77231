import { expect, it } from 'vitest'
import { defineServer } from '../../authoring/define-server.ts'
import type { Principal } from '../callers/principal.ts'
import { Call } from '../calls/call.ts'
import { NOWHERE } from '../calls/outlet.ts'
import { createRecord } from './create.ts'

it.each<[given: object | undefined, kept: Principal | null]>([
  [undefined, null],
  [{ id: 'ann', token: 'secret' }, { id: 'ann' }],
  [
    { id: 'ann', scopes: ['notes'], anonymous: false },
    { id: 'ann', scopes: ['notes'] },
  ],
  [
    { id: 'anybody', anonymous: true },
    { id: 'anybody', anonymous: true },
  ],
])('the record of a task that %j has begun says whose it is, and nothing else of them', (given, kept) => {
  const server = defineServer({ name: 's', version: '1' })
  const link = server.open({ outlet: NOWHERE, principal: given as Principal })
  const request = { kind: 'request', id: 1, method: 'tools/call', params: { name: 't' }, length: 1 } as const
  expect(createRecord(new Call(request, link, NOWHERE)).principal).toStrictEqual(kept)
})
