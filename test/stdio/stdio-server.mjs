import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { defineServer, elicit, needs, serveStdio } from '../../dist/index.js'

/** What tools in the wild do, well and badly. STDIO holds the settings of `serveStdio` as JSON. */

const number = (name) => ({ type: 'object', properties: { [name]: { type: 'number' } }, required: [name] })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const circular = {}
circular.self = circular

const tools = [
  {
    name: 'echo',
    input: { type: 'object', properties: { text: { type: 'string' } } },
    run: ({ text }) => text ?? '',
  },
  { name: 'large', input: number('bytes'), run: ({ bytes }) => 'x'.repeat(bytes) },
  {
    name: 'slow',
    input: number('ms'),
    run: async ({ ms }) => {
      await pause(ms)
      return `waited ${ms}`
    },
  },
  { name: 'never', run: () => new Promise(() => {}) },
  {
    name: 'hurry',
    run: (_args, { signal }) => once(signal, 'abort').then(() => 'stopped'),
  },
  {
    name: 'late_question',
    input: number('ms'),
    run: async ({ ms }) => {
      await pause(ms)
      return needs({ name: elicit({ message: 'Who?', schema: { type: 'object', properties: {} } }) })
    },
  },
  {
    name: 'chatty',
    run: () => {
      console.log('from console.log')
      console.info('from console.info')
      console.table([{ from: 'console.table' }])
      process.stdout.write('from process.stdout.write\n')
      process.stdout.write(new TextEncoder().encode('from bytes\n'))
      process.stdout.end('from process.stdout.end\n')
      return 'quiet'
    },
  },
  {
    name: 'leave_timer',
    run: () => {
      setInterval(() => {}, 10)
      return 'left a timer'
    },
  },
  {
    name: 'leave_child',
    run: () => String(spawn('sleep', ['60'], { stdio: 'ignore' }).pid),
  },
  {
    name: 'stray',
    run: () => {
      setTimeout(() => {
        throw new Error('a stray exception')
      })
      void Promise.reject(new Error('a stray rejection'))
      return 'done'
    },
  },
  { name: 'bigint', run: () => ({ amount: 1n }) },
  { name: 'bigint_later', run: async () => ({ amount: 1n }) },
  { name: 'bigint_block', run: () => ({ content: [{ type: 'text', text: 'x', _meta: { amount: 1n } }] }) },
  { name: 'circular', run: () => circular },
  {
    name: 'bigint_log',
    run: (_args, call) => {
      call.log('error', 1n)
      return 'logged'
    },
  },
  {
    name: 'throw_nothing',
    run: () => {
      throw undefined
    },
  },
  {
    name: 'shut_stdin',
    run: () => {
      process.stdin.destroy()
      return 'shut'
    },
  },
]

const observe = ({ kind }) => {
  if (kind === process.env['FAIL_ON']) throw new Error('an observer that fails')
}

serveStdio(
  defineServer({ name: 'wild', version: '1.0.0', tools, observe, dialect: { exit: 'allowed' } }),
  JSON.parse(process.env['STDIO'] ?? '{}'),
)
