/**
 * What stands in a sandbox before a script: the tools it can call, and what it logs. It gives the one function by which
 * the script is entered, which scripts never see; it has taken what it needs before a script could change it. Whatever
 * passes is text, so that nothing of a script is ever held outside.
 */
export const PRELUDE = String.raw`((limits) => {
'use strict'
const { stringify, parse } = JSON
const { apply, defineProperty } = Reflect
const { then } = Promise.prototype
const { charCodeAt, slice } = String.prototype
const [Later, Failure, Wrong, Seen, text] = [Promise, Error, TypeError, Proxy, String]
// It would be handed the functions on the stack, and these are among them.
defineProperty(Error, 'prepareStackTrace', { __proto__: null, value: undefined })
const waiting = { __proto__: null }
let calls = ''
let given = 0
let made = 0
let log = ''
let unlogged = 0
let end

const hidden = (target, name, value) =>
  defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true })
const cut = (value, longest) => (value.length > longest ? apply(slice, value, [0, longest]) + '…' : value)

const call = (name, args) => {
  const failure = new Failure('')
  return new Later((resolve, reject) => {
    const written = args === undefined ? '{}' : stringify(args)
    if (written === undefined || apply(charCodeAt, written, [0]) !== 123)
      throw new Wrong('tools.' + name + ' takes one object with its arguments, got ' + cut(text(written), 40))
    if (name.length > 256) throw new Wrong('No tool has a name of ' + name.length + ' characters')
    if (written.length > limits.argumentBytes)
      throw new Wrong('The arguments of tools.' + name + ' are too long: at most ' + limits.argumentBytes + ' bytes, got ' + written.length + ' (--max-script-arguments)')
    if (given + written.length > limits.stepBytes)
      throw new Failure('The arguments of all calls that are made at once are too long: at most ' + limits.stepBytes + ' bytes, got ' + (given + written.length) + ' (--max-script-step). Wait for some calls before others are made')
    if (made >= limits.calls) throw new Failure('A script may make at most ' + limits.calls + ' calls (--max-script-calls)')
    made++
    given += written.length
    waiting[made] = { __proto__: null, resolve, reject, failure }
    calls += (calls === '' ? '' : ',') + '{"id":' + made + ',"name":' + stringify(name) + ',"args":' + stringify(written) + '}'
  })
}

const tools = new Seen({ __proto__: null }, {
  __proto__: null,
  get: (_, name) => (typeof name === 'string' && name !== 'then' ? (args) => call(name, args) : undefined),
  has: (_, name) => typeof name === 'string',
  set: () => false,
  defineProperty: () => false,
})

const shown = (value) => {
  if (typeof value === 'string') return value
  try {
    return stringify(value) ?? text(value)
  } catch {
    return '[cannot be shown]'
  }
}
const say = (...values) => {
  let line = ''
  for (let at = 0; at < values.length; at++) line += (at === 0 ? '' : ' ') + shown(values[at])
  if (log.length + line.length + 1 > limits.logBytes) unlogged++
  else log += line + '\n'
}
const console = { __proto__: null, log: say, info: say, warn: say, error: say, debug: say }

const succeed = (value) => {
  let written
  try {
    written = value === undefined ? undefined : stringify(value)
  } catch (error) {
    return fail(error, 'What it returns cannot be written as JSON: ')
  }
  if (written !== undefined && written.length > limits.outputBytes)
    return fail(new Failure('What it returns is too long: at most ' + limits.outputBytes + ' bytes, got ' + written.length + ' (--max-script-output). Return less of it'))
  end ??= { __proto__: null, value: written }
}
const fail = (error, before = '') => {
  if (end !== undefined) return
  end = { __proto__: null, error: before + 'It failed', stack: '' }
  try {
    const isError = typeof error === 'object' && error !== null && 'message' in error
    const told = isError ? text(error.name) + ': ' + text(error.message) : 'It threw ' + shown(error)
    end = { __proto__: null, error: before + cut(told, 2000), stack: cut(text(isError ? error.stack : ''), 4000) }
  } catch {}
}

const ENTER = {
  __proto__: null,
  start: (run) => void apply(then, run(tools, console), [succeed, fail]),
  settle: (given) => {
    const settled = parse(given)
    for (let at = 0; at < settled.length; at++) {
      const { id, value, error } = settled[at]
      const one = waiting[id]
      delete waiting[id]
      if (one === undefined) continue
      if (error === undefined) one.resolve(value)
      else {
        hidden(one.failure, 'message', error)
        hidden(one.failure, 'name', 'ToolError')
        one.reject(one.failure)
      }
    }
  },
  look: () => {
    const made = calls
    calls = ''
    given = 0
    const ended = end === undefined ? '' : ',"end":' + stringify({ __proto__: null, ...end, log, unlogged })
    return '{"calls":[' + made + ']' + ended + '}'
  },
}
return (what, given) => ENTER[what](given)
})`
