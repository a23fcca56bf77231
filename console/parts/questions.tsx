import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { RootsResult } from '../../src/client/answers.ts'
import { cut } from '../model/text.ts'
import { keep, recall } from '../state/keeping.ts'
import { type Question, questions } from '../state/questions.ts'
import { useStore } from '../state/store.ts'
import { ElicitQuestion } from './elicit-question.tsx'
import { JsonTree } from './json-tree.tsx'
import { Outside, Plain } from './plain.tsx'
import { Messages } from './result.tsx'

/** What the server asks, to be answered here. */
export function Questions() {
  const open = useStore(questions)
  if (open.length === 0) return null
  return (
    <section class="questions" aria-label="Questions of the server">
      {open.map((question) => (
        <QuestionCard key={question.id} question={question} />
      ))}
    </section>
  )
}

const TITLES: { readonly [kind in Question['kind']]: string } = {
  elicit: 'The server asks',
  sample: 'The server asks your model',
  roots: 'The server asks for your folders',
  app: 'An app asks',
}

function QuestionCard({ question }: { readonly question: Question }) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.focus(), [])
  return (
    <article ref={card} class="card question" tabIndex={-1} aria-label={TITLES[question.kind]}>
      <header>
        <span class="dot asking" aria-hidden="true" />
        <h2>{TITLES[question.kind]}</h2>
        {question.from !== '' && (
          <span class="chip">
            <Plain text={cut(question.from, 60)} />
          </span>
        )}
      </header>
      <Body question={question} />
    </article>
  )
}

function Body({ question }: { readonly question: Question }) {
  switch (question.kind) {
    case 'elicit':
      return <ElicitQuestion question={question} />
    case 'sample':
      return <SampleQuestion question={question} />
    case 'roots':
      return <RootsQuestion question={question} />
    case 'app':
      return <AppQuestion question={question} />
  }
}

/** What has no words of its own for a refusal is answered with an error. */
function Refusing({ question }: { readonly question: Extract<Question, { kind: 'sample' | 'roots' }> }) {
  return (
    <div class="buttons">
      <button type="submit" class="primary">
        Answer
      </button>
      <button type="button" onClick={() => question.refuse('The user declined')}>
        Decline
      </button>
    </div>
  )
}

function SampleQuestion({ question }: { readonly question: Extract<Question, { kind: 'sample' }> }) {
  const { messages, systemPrompt, maxTokens } = question.params
  const [text, write] = useState('')
  const [model, name] = useState('a-person')
  const id = useId()
  return (
    <form
      aria-label="Answer as the model"
      onSubmit={(event) => {
        event.preventDefault()
        question.answer({ role: 'assistant', content: said(text), model, stopReason: 'endTurn' })
      }}
    >
      {systemPrompt !== undefined && (
        <Messages messages={[{ role: 'system', content: said(systemPrompt) }]} />
      )}
      <Messages messages={messages} />
      <div class="field">
        <label for={`${id}-text`}>
          <span class="field-name">Your answer</span> <span class="kind">at most {maxTokens} tokens</span>
        </label>
        <textarea
          id={`${id}-text`}
          rows={3}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for={`${id}-model`}>
          <span class="field-name">Model</span>
        </label>
        <input
          id={`${id}-model`}
          type="text"
          value={model}
          onInput={({ currentTarget }) => name(currentTarget.value)}
        />
      </div>
      <Refusing question={question} />
    </form>
  )
}

function said(text: string) {
  return { type: 'text', text } as const
}

function RootsQuestion({ question }: { readonly question: Extract<Question, { kind: 'roots' }> }) {
  const [text, write] = useState(() => recall('roots', 'file:///home/me/project'))
  const id = useId()
  const roots: RootsResult['roots'] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((uri) => uri !== '')
    .map((uri) => ({ uri }))
  return (
    <form
      aria-label="Answer with folders"
      onSubmit={(event) => {
        event.preventDefault()
        keep('roots', text)
        question.answer({ roots })
      }}
    >
      <div class="field">
        <label for={id}>
          <span class="field-name">Folders</span> <span class="kind">one file:// address a line</span>
        </label>
        <textarea
          id={id}
          class="code"
          rows={3}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      </div>
      <Refusing question={question} />
    </form>
  )
}

/** An app can do nothing but ask. */
function AppQuestion({ question }: { readonly question: Extract<Question, { kind: 'app' }> }) {
  const { wants, name, args } = question.params
  return (
    <>
      <p class="asked">{wants === 'call' ? 'It wants to call a tool:' : 'It wants to open a page:'}</p>
      <p class="address">{wants === 'call' ? <Plain text={cut(name, 300)} /> : <Outside href={name} />}</p>
      {args !== undefined && <JsonTree value={args} />}
      <div class="buttons">
        <button type="button" class="primary" onClick={() => question.answer(true)}>
          {wants === 'call' ? 'Allow' : 'Done'}
        </button>
        <button type="button" onClick={() => question.refuse('The user declined')}>
          Decline
        </button>
      </div>
    </>
  )
}
