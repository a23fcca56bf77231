import { useEffect, useState } from 'preact/hooks'
import { type BoardTask, type BoardTools, COLUMNS, findBoards, notesOf } from '../model/board.ts'
import { cut } from '../model/text.ts'
import { addTask, board, loadBoard, moveTask, watchBoard } from '../state/board.ts'
import { catalogue } from '../state/catalogue.ts'
import { talk } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { Gone } from './details.tsx'
import { Plain } from './plain.tsx'
import { SearchField } from './search-field.tsx'

/** A task list as a board: a column for each status, a card for each task, which can be moved. */
export function BoardView({ name }: { readonly name: string }) {
  const tools = findBoards(useStore(catalogue).tools).find(({ key }) => key === name)
  return tools === undefined ? <Gone what="Task list" /> : <Board tools={tools} />
}

function Board({ tools }: { readonly tools: BoardTools }) {
  const { columns, more, error } = useStore(board)
  const { client } = useStore(talk)
  const [text, search] = useState('')
  const load = () => void loadBoard(tools, text)
  useEffect(load, [text, client])
  useEffect(() => watchBoard(load), [text, client])
  const put = (task: BoardTask, status: string) => void moveTask(tools, task, status).then(load)
  return (
    <>
      <header class="offer-head">
        <p class="eyebrow">Task list</p>
        <h1>Board</h1>
      </header>
      <div class="board-bar">
        <NewTask add={(description) => void addTask(tools, description).then(load)} />
        <SearchField id="board-search" label="Search" hint="Search" value={text} change={search} />
      </div>
      {error !== undefined && (
        <p class="complaint">
          <Plain text={cut(error, 300)} />
        </p>
      )}
      <div class="board">
        {COLUMNS.map(({ status, name }, at) => (
          <Column
            key={status}
            name={name}
            tasks={columns[status] ?? []}
            hasMore={more.includes(status)}
            drop={(task) => put(task, status)}
            move={(task, step) => put(task, COLUMNS[at + step]?.status ?? status)}
            ways={[at > 0, at < COLUMNS.length - 1]}
          />
        ))}
      </div>
    </>
  )
}

function NewTask({ add }: { readonly add: (description: string) => void }) {
  const [text, type] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (text.trim() !== '') add(text)
    type('')
  }
  return (
    <form onSubmit={submit}>
      <input
        aria-label="New task"
        placeholder="What is to be done?"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      <button type="submit">Add</button>
    </form>
  )
}

interface ColumnProps {
  readonly name: string
  readonly tasks: readonly BoardTask[]
  readonly hasMore: boolean
  readonly drop: (task: BoardTask) => void
  readonly move: (task: BoardTask, step: -1 | 1) => void
  readonly ways: readonly [left: boolean, right: boolean]
}

/** The card that is being dragged: a browser hands on text alone. */
let dragged: BoardTask | undefined

function Column({ name, tasks, hasMore, drop, move, ways }: ColumnProps) {
  return (
    <section
      class="column"
      aria-label={name}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (dragged !== undefined && !tasks.includes(dragged)) drop(dragged)
      }}
    >
      <h2>
        {name}{' '}
        <span class="quiet">
          {tasks.length}
          {hasMore && '+'}
        </span>
      </h2>
      <ul>
        {tasks.map((task) => (
          <li key={task.id}>
            <Card task={task} move={(step) => move(task, step)} ways={ways} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CardProps {
  readonly task: BoardTask
  readonly move: (step: -1 | 1) => void
  readonly ways: ColumnProps['ways']
}

function Card({ task, move, ways: [left, right] }: CardProps) {
  const words = cut(task.description, 200)
  return (
    <article
      class={`task-card ${task.priority}`}
      draggable
      title={task.id}
      onDragStart={() => {
        dragged = task
      }}
    >
      <p>
        <Plain text={words} />
      </p>
      <p class="quiet notes">
        {notesOf(task, new Date().toISOString()).map((note) => (
          <span key={note}>
            <Plain text={cut(note, 60)} />
          </span>
        ))}
        <span class="steps">
          {left && <Step label={`Move left: ${words}`} sign="←" go={() => move(-1)} />}{' '}
          {right && <Step label={`Move right: ${words}`} sign="→" go={() => move(1)} />}
        </span>
      </p>
    </article>
  )
}

function Step({
  label,
  sign,
  go,
}: {
  readonly label: string
  readonly sign: string
  readonly go: () => void
}) {
  return (
    <button type="button" class="small" aria-label={label} onClick={go}>
      {sign}
    </button>
  )
}
