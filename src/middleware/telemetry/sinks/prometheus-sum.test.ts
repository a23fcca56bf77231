import { expect, it } from 'vitest'
import { addUp, onlyGrowing } from './prometheus-sum.ts'

const family = (name: string, type: string, ...samples: readonly string[]) =>
  [`# HELP ${name} Some words.`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n')

it('adds what is counted under the same labels, and keeps the rest', () => {
  const one = family('calls_total', 'counter', 'calls_total{tool="a b"} 1', 'calls_total{tool="b"} 2')
  const other = family('calls_total', 'counter', 'calls_total{tool="a b"} 3', 'calls_total{tool="c"} 4')
  expect(addUp([one, '', other])).toBe(
    family(
      'calls_total',
      'counter',
      'calls_total{tool="a b"} 4',
      'calls_total{tool="b"} 2',
      'calls_total{tool="c"} 4',
    ),
  )
})

it('adds histograms bucket by bucket', () => {
  const text = family('took', 'histogram', 'took_bucket{le="+Inf"} 2', 'took_sum 0.5', 'took_count 2')
  expect(addUp([text, text])).toBe(
    family('took', 'histogram', 'took_bucket{le="+Inf"} 4', 'took_sum 1', 'took_count 4'),
  )
})

it('takes the fullest of budgets, and the earliest of beginnings', () => {
  const text = (used: number, begun: number) =>
    family('mcp_server_budget_used', 'gauge', `mcp_server_budget_used{budget="maxCalls"} ${used}`) +
    family('process_start_time_seconds', 'gauge', `process_start_time_seconds ${begun}`)
  expect(addUp([text(3, 20), text(5, 10)])).toBe(text(5, 10))
})

it('leaves out what is over when a process is', () => {
  const counter = family('calls_total', 'counter', 'calls_total 1')
  expect(onlyGrowing(counter + family('memory', 'gauge', 'memory 2'))).toBe(counter)
  expect(addUp([onlyGrowing('')])).toBe('')
})
