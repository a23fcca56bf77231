import type { JsonObject, Revision } from '../kernel/index.ts'
import { printNumber } from './statistics.ts'
import { printTable } from './table.ts'

export interface BenchOptions {
  readonly tool: string | undefined
  readonly args: JsonObject | undefined
  readonly revision: Revision
  /** How long each measurement goes on. */
  readonly seconds: number
}

/** One measurement of one server. */
export interface Metric {
  readonly title: string
  readonly unit: string
  readonly value: number | undefined
  /** How much of a core the generator used. */
  readonly generator?: number
}

export interface Measurement {
  /** What was asked again and again. */
  readonly asked: string
  readonly server: readonly Metric[]
  /** The same of a bare loop that echoes, where it was measured. */
  readonly raw: readonly Metric[] | undefined
  readonly failed: number
}

/** A generator that used more of its core than this may have been the slower of the two. */
const BUSY = 0.9

export function printMetrics({ asked, server, raw, failed }: Measurement): string {
  const head = raw === undefined ? ['', 'server'] : ['', 'server', 'raw echo', '× raw']
  const rows = server.map((metric, at) => {
    const { title, unit, value = Number.NaN } = metric
    const cells = [`${title}, ${unit}`, printNumber(value) + mark(metric)]
    const limit = raw?.[at]?.value ?? Number.NaN
    return raw === undefined ? cells : [...cells, printNumber(limit), printNumber(value / limit)]
  })
  const lines = [`Asked: ${asked}`, '', printTable(head, rows), '']
  if (raw !== undefined) lines.push('raw is a bare Node loop that parses, switches and prints an echo.')
  if (server.some((metric) => mark(metric) !== ''))
    lines.push('* The generator may have been the limit here.')
  if (failed > 0) lines.push(`Some calls failed (${failed}): the figures are those of failures as well.`)
  return lines.join('\n')
}

function mark({ generator = 0 }: Metric): string {
  return generator > BUSY ? ' *' : ''
}
