import { findRevision, isObject, type JsonObject, REVISIONS, type Revision } from '../../kernel/index.ts'
import type { ContractTest } from '../contract.ts'
import { ASKING } from './asking.ts'
import { CARRYING } from './carrying.ts'
import { createContractServer } from './contract-server.ts'
import type { TransportContract } from './end.ts'
import { ENDING } from './ending.ts'
import { Speaker } from './speaker.ts'
import { TELLING } from './telling.ts'
import type { TransportTest } from './transport-test.ts'

const TESTS: readonly TransportTest[] = [...CARRYING, ...TELLING, ...ASKING, ...ENDING]

/**
 * What every transport must do, in each revision that it carries.
 * @example
 * import { it } from 'node:test'
 * const tests = (open: TransportContract['open']) => {
 *   for (const { name, skip, run } of testTransport({ open })) it(name, { skip }, run)
 * }
 */
export function testTransport(contract: TransportContract): readonly ContractTest[] {
  const revisions = (contract.revisions ?? REVISIONS.map(({ id }) => id)).map(revisionOf)
  return revisions.flatMap((revision) =>
    TESTS.filter(({ applies }) => applies?.(revision) !== false).map((test) => {
      const lack = test.needs === undefined ? undefined : contract.lacks?.[test.needs]
      return {
        name: `${revision.id}: ${test.name}`,
        skip: lack ?? (false as const),
        run: () => converse(contract, revision, test),
      }
    }),
  )
}

function revisionOf(id: string): Revision {
  const revision = findRevision(id)
  if (revision !== undefined) return revision
  throw new TypeError(
    `testTransport: there is no revision ${id}. Expected some of ${REVISIONS.map((one) => one.id).join(', ')}`,
  )
}

async function converse(
  contract: TransportContract,
  revision: Revision,
  { run }: TransportTest,
): Promise<void> {
  const { server, kept } = createContractServer()
  const heard: JsonObject[] = []
  const texts: string[] = []
  let ends = 0
  const hear = (text: string) => {
    texts.push(text)
    const value: unknown = JSON.parse(text)
    heard.push(...(Array.isArray(value) ? value : [value]).filter(isObject))
  }
  const end = await contract.open({ server, hear, ended: () => ends++ })
  try {
    await run({
      speaker: new Speaker({ revision, heard, end, kept, patienceMs: contract.patienceMs }),
      texts,
      ends: () => ends,
    })
  } finally {
    await end.leave()
    await end.close()
  }
}
