import type { Call } from '../calls/call.ts'
import { Fault } from '../faults.ts'
import { isObject, type JsonObject, type Result } from '../jsonrpc/message.ts'
import { filledIn, wrongAnswer } from './answers.ts'
import { type MissingCapability, missingCapability } from './capability.ts'
import { checkAnswerable } from './check-form.ts'
import { fitQuestion } from './fit-question.ts'
import { MAX_ROUNDS, Needs, type Question } from './needs.ts'
import { openRound, sealRound } from './sealed-state.ts'

export type Answered = Result | Promise<Result>

/** An author's function, what it belongs to, and what makes a result of its output. */
export interface Author<Offer = unknown> {
  readonly offer: Offer
  readonly run: () => unknown
  readonly report: (offer: Offer, output: unknown, call: Call) => Answered
}

/** Runs an author's function for a call that brings answers, and reports its output. */
export function answerAgain<Offer>(call: Call, author: Author<Offer>): Promise<Result> {
  return call.params !== undefined && 'requestState' in call.params
    ? runResumed(call, author)
    : runForewarned(call, author)
}

async function runResumed<Offer>(call: Call, author: Author<Offer>): Promise<Result> {
  await resume(call)
  return settle(await runLate(call, author.run), call, author)
}

/** Runs a function for a call that has waited for something, unless it was called off meanwhile. */
function runLate(call: Call, run: () => unknown): Promise<unknown> {
  if (call.aborted) throw new Error(`${call.method} was cancelled`)
  return promised(run(), call)
}

/** Has a call know what its function has promised: that may go on when nobody waits for the call any more. */
export function promised(output: unknown, call: Call): Promise<unknown> {
  call.running = Promise.resolve(output)
  return call.running
}

/** Asks for what an output needs, in the way of the caller's revision, or reports it. */
export function settle<Offer>(output: unknown, call: Call, author: Author<Offer>): Answered {
  if (!(output instanceof Needs)) return author.report(author.offer, output, call)
  const { unasked } = call.outlet
  if (unasked !== undefined) throw new Error(unasked)
  return call.peer.revision.asking === 'retry'
    ? inputRequired(output, call)
    : reportAnswered(output, call, author)
}

/** Takes from a call that comes back what was asked and answered before. */
export async function resumeAnswers(call: Call): Promise<void> {
  const comesBack = call.params !== undefined && 'requestState' in call.params
  if (comesBack && call.peer.revision.asking === 'retry') await resume(call)
}

/** Answers that come without a state are taken when the function asks for them, and checked by what it asks. */
async function runForewarned<Offer>(call: Call, author: Author<Offer>): Promise<Result> {
  const given = checkResponses(call)
  let output = await runLate(call, author.run)
  for (let round = 0; output instanceof Needs && round < MAX_ROUNDS; round++) {
    const answers = await checkAnswers(given, output.questions, call)
    if (Object.keys(answers).every((key) => Object.hasOwn(call.answers, key))) break
    call.answers = { ...call.answers, ...answers }
    call.state = output.state
    output = await runLate(call, author.run)
  }
  return settle(output, call, author)
}

/** The client is asked by requests of ours while its call waits. */
async function reportAnswered<Offer>(
  needs: Needs,
  call: Call,
  { offer, run, report }: Author<Offer>,
): Promise<Result> {
  const again = () => runLate(call, run)
  return report(offer, await untilAnswered(needs, (more) => askWhileResting(more, call), again), call)
}

/** Asks whatever a function needs, and runs it again with the answers, until it gives something else. */
export async function untilAnswered(
  first: unknown,
  ask: (needs: Needs) => Promise<void>,
  run: () => unknown,
): Promise<unknown> {
  let output = await first
  for (let round = 0; output instanceof Needs; round++) {
    try {
      if (round === MAX_ROUNDS) throw new Error(`Still asking after ${MAX_ROUNDS} rounds`)
      await ask(output)
    } catch (error) {
      throw unanswered(error, output)
    }
    output = await run()
  }
  return output
}

function unanswered(error: unknown, { done }: Needs): unknown {
  return done === undefined ? error : new Error(`${(error as Error).message}\n${done}`, { cause: error })
}

export async function askWhileResting(needs: Needs, call: Call): Promise<void> {
  checkRoom(call)
  call.link.rest(call, 'asking')
  try {
    await askByRequests(needs, call)
  } finally {
    call.link.wake(call)
  }
}

/** Calls that wait for their clients may be any number, each of which is kept meanwhile. */
function checkRoom({ server, owner }: Call): void {
  server.underway.check(owner, 0)
}

/** The result that asks a client to call again. */
export function inputRequired(needs: Needs, call: Call): Result {
  return {
    resultType: 'input_required',
    inputRequests: checkedQuestions(needs, call),
    requestState: sealRound(needs, call),
  }
}

/**
 * Asks the client of a call, which waits, something that another server asks: its answer is that server's to judge.
 * @example const roots = await askOnBehalf(listRoots(), call, call.signal)
 */
export async function askOnBehalf(question: Question, call: Call, signal: AbortSignal): Promise<JsonObject> {
  const { outlet, link, server } = call
  if (outlet.answersOnly === true) throw new Fault('invalidRequest', CANNOT_BE_ASKED)
  const fitted = fittedQuestions(new Needs({ asked: question }), call)['asked'] ?? question
  const { method, params } = fitted
  checkRoom(call)
  link.rest(call, 'asking')
  try {
    return await link.ask({ method, params, outlet, signal, timeoutMs: server.settings.answerTimeoutMs })
  } finally {
    link.wake(call)
  }
}

const CANNOT_BE_ASKED =
  'Invalid request: this call asks its client, which has to take events: send Accept: application/json, text/event-stream, or end other streams'

export async function askByRequests(needs: Needs, call: Call): Promise<void> {
  const { settings, platform } = call.server
  const { signal, outlet, link } = call
  if (outlet.answersOnly === true) throw new Fault('invalidRequest', CANNOT_BE_ASKED)
  const asked = Object.entries(checkedQuestions(needs, call)).map(async ([key, question]) => {
    const { method, params } = question
    const answer = await link.ask({ method, params, outlet, signal, timeoutMs: settings.answerTimeoutMs })
    const wrong = await wrongAnswer(answer, needs.questions[key], platform.validator)
    if (wrong !== undefined) throw new Error(`The client's answer to ${method} is not valid: ${wrong}`)
    return [key, filledIn(answer, needs.questions[key])] as const
  })
  call.answers = { ...call.answers, ...Object.fromEntries(await Promise.all(asked)) }
  call.state = needs.state
}

/** Nobody is asked what could not be checked afterwards, nor by a client that lacks what it takes. */
export function checkedQuestions(needs: Needs, call: Call): { readonly [key: string]: Question } {
  const { validator } = call.server.platform
  for (const [key, { params }] of Object.entries(needs.questions)) {
    const schema = params?.['requestedSchema']
    if (schema !== undefined) checkAnswerable(key, schema, validator)
  }
  return fittedQuestions(needs, call)
}

/** Fits the questions to the client, or says which capability it lacks. */
function fittedQuestions(needs: Needs, call: Call): { readonly [key: string]: Question } {
  const { peer, server } = call
  const missing = Object.values(needs.questions).flatMap(
    (question) => missingCapability(question, peer) ?? [],
  )
  if (missing.length > 0) throw lacking(missing)
  return Object.fromEntries(
    Object.entries(needs.questions).map(([key, question]) => [
      key,
      fitQuestion(question, peer.revision, server.platform.randomId),
    ]),
  )
}

function lacking(missing: readonly MissingCapability[]): Fault {
  const requiredCapabilities = missing.reduce<JsonObject>((all, { required }) => merge(all, required), {})
  const reasons = [...new Set(missing.map(({ reason }) => reason))].join('; ')
  const data = Object.keys(requiredCapabilities).length > 0 ? { requiredCapabilities } : undefined
  return new Fault('missingCapability', `The client lacks a capability this needs: ${reasons}`, data)
}

function merge(one: JsonObject, other: JsonObject): JsonObject {
  const merged: { [key: string]: unknown } = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const present = merged[key]
    merged[key] = isObject(present) && isObject(value) ? merge(present, value) : value
  }
  return merged
}

/** A call that comes back: what was asked and answered before is taken from its state. */
async function resume(call: Call): Promise<void> {
  const given = checkResponses(call)
  const round = openRound(call.params?.['requestState'], call)
  call.answers = { ...round.answers, ...(await checkAnswers(given, round.questions, call)) }
  call.state = round.state
}

function checkResponses({ params }: Call): JsonObject {
  const given = params?.['inputResponses']
  if (given === undefined) return {}
  if (isObject(given)) return given
  throw new Fault('invalidParams', 'Invalid params: inputResponses: expected an object')
}

/** Those of the answers that were asked for; a wrong one is a Fault. */
async function checkAnswers(given: JsonObject, asked: Needs['questions'], call: Call): Promise<JsonObject> {
  const answers = Object.keys(asked)
    .filter((key) => Object.hasOwn(given, key))
    .map((key) => [key, given[key]] as const)
  for (const [key, answer] of answers) {
    const wrong = await wrongAnswer(answer, asked[key], call.server.platform.validator)
    if (wrong !== undefined) {
      throw new Fault('invalidParams', `Invalid params: inputResponses.${key}: ${wrong}`)
    }
  }
  return Object.fromEntries(answers.map(([key, answer]) => [key, filledIn(answer as JsonObject, asked[key])])) // They are objects, as was just checked.
}
