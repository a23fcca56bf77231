import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  anything,
  expecting,
  flag,
  type Id,
  type Members,
  membersOf,
  object,
  type Refused,
  text,
  texts,
} from '../../kernel/index.ts'
import { ClientError } from '../errors.ts'
import type { Arriving, MessageLimits } from '../intake.ts'
import type { Ear, OpenWire, Sent, Wire } from '../wire.ts'
import { cancelByNotification } from './cancel.ts'
import { handedOn } from './handed-on.ts'
import { HeardLines } from './heard-lines.ts'
import { HAS_GROUPS, ProcessGroup } from './process-group.ts'
import { StderrLines } from './stderr-lines.ts'
import { writeLine } from './writing.ts'

/** A command that serves on its stdin and stdout. */
export interface Command {
  readonly command: string
  readonly args?: readonly string[]
  /** Beside the few variables that every command needs, such as PATH and HOME; nothing else is handed on. */
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  /**
   * Starts it in a process group of its own, which is ended as a whole: with the connection, and also when this process
   * is killed. Where there are no such groups, as on Windows, it is a child like any other.
   */
  readonly ownGroup?: boolean
  /** Where its stderr goes, by whole lines to a function: nowhere unless said; its last lines stand in the error when it ends by itself. */
  readonly stderr?: 'ignore' | 'inherit' | ((text: string) => void)
}

/** How long a child may take to leave by itself, and again once it has been told to. */
const LEAVING_MS = 2000

/** How long its pipes are read on when it has ended. */
const PIPES_MS = 500

export function stdioWire(command: Command, limits: MessageLimits): OpenWire {
  return (ear) => {
    checkFolder(command)
    return new StdioWire(command, limits, ear)
  }
}

class StdioWire implements Wire, Arriving {
  readonly keeps = true
  readonly #child: ChildProcess
  readonly #ear: Ear
  readonly #name: string
  readonly #lines: HeardLines
  readonly #limits: MessageLimits
  readonly #gone: Promise<void>
  readonly #group: ProcessGroup | undefined
  readonly #stderr: StderrLines
  #closing = false
  #late: ReturnType<typeof setTimeout> | undefined

  constructor(command: Command, limits: MessageLimits, ear: Ear) {
    this.#ear = ear
    this.#name = command.command
    this.#limits = limits
    const { stderr } = command
    if (hasOwnGroup(command)) ProcessGroup.prepare()
    this.#child = spawn(command.command, command.args ?? [], {
      cwd: command.cwd,
      env: { ...handedOn(), ...command.env },
      stdio: ['pipe', 'pipe', stderr === 'inherit' ? 'inherit' : 'pipe'],
      windowsHide: true,
      detached: hasOwnGroup(command),
    })
    this.#group = hasOwnGroup(command) ? new ProcessGroup(this.#child.pid) : undefined
    const { stdin, stdout, stderr: errors } = this.#child
    stdin?.on('error', () => {}) // It has ended, which its end tells.
    const hear = (lines: readonly (string | Refused)[]) => this.#hear(lines)
    this.#lines = new HeardLines({ stream: stdout, limits, arriving: this, hear })
    this.#stderr = new StderrLines(typeof stderr === 'function' ? stderr : undefined)
    errors?.setEncoding('utf8').on('data', (text: string) => this.#stderr.hear(text))
    this.#gone = this.#watch()
  }

  send(message: Sent): Promise<void> {
    return writeLine(this.#child.stdin, message)
  }

  cancel(id: Id, reason: string): void {
    cancelByNotification(this, id, reason)
  }

  opened(): void {}

  /** First its stdin ends, as the protocol has it; whoever does not leave then is told, and then made to. */
  async close(): Promise<void> {
    this.#leave()
    this.#child.stdin?.end()
    const timers = [
      setTimeout(() => this.#kill('SIGTERM'), LEAVING_MS),
      setTimeout(() => this.#kill('SIGKILL'), 2 * LEAVING_MS),
    ]
    await this.#gone
    for (const timer of timers) clearTimeout(timer)
    await this.#group?.end(LEAVING_MS)
  }

  #kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#group === undefined) this.#child.kill(signal)
    else this.#group.kill(signal)
  }

  #hear(lines: readonly (string | Refused)[]): void {
    let odd = 0
    for (const line of lines) {
      if (typeof line !== 'string') {
        if (!this.#closing) this.#refuse(line)
      } else if (mayBeMessage(line) || ++odd === 1) this.#ear.hear(line)
    }
    if (odd > 1) this.#warn(`${odd - 1} more lines that are not even JSON`)
  }

  #leave(): void {
    this.#closing = true
    this.#lines.letGo()
  }

  giveWay(error: Error): void {
    this.#ear.fail(error)
    this.#leave()
    this.#kill('SIGTERM')
  }

  #warn(what: string): void {
    this.#ear.warn(new ClientError('nonsense', `The server sent what is no message: ${what}`))
  }

  /** Where nobody knows whom a line that is too long was for, nobody may go on waiting for it. */
  #refuse({ fault: { fault, message }, response }: Refused): void {
    if (fault === 'parseError') return this.#warn(message)
    const text = `The server sent a line of more than ${this.#limits.maxMessageBytes} bytes (maxMessageBytes)`
    const error = new ClientError('too-much', text)
    const id = response?.id
    if (typeof id === 'number' || typeof id === 'string') {
      this.#ear.fail(error, id)
      return this.#ear.hear(JSON.stringify({ jsonrpc: '2.0', id, result: {} })) // The server is done with it.
    }
    this.#ear.fail(error)
    this.#kill('SIGTERM')
  }

  /** Resolves when the child and its pipes are gone; one that could not even be started is. */
  #watch(): Promise<void> {
    return new Promise((resolve) => {
      this.#child.once('error', (cause) => {
        const text = `The server could not be started: ${this.#name}: ${cause.message}`
        this.#ear.fail(new ClientError('unreachable', text, { cause, unsent: true }))
        if (this.#child.pid === undefined) resolve()
      })
      this.#child.once('exit', () => {
        this.#lines.readOn()
        this.#soon(() => this.#letGo())
      })
      this.#child.stdout?.once('end', () => {
        if (this.#child.exitCode === null && this.#late === undefined) this.#soon(() => this.#mute())
      })
      this.#child.once('close', (code, signal) => {
        clearTimeout(this.#late)
        this.#stderr.end()
        if (!this.#closing) void this.#group?.end(LEAVING_MS) // What it has left behind.
        this.#lines.whenHeard(() => {
          this.#fail(signal ?? code)
          resolve()
        })
      })
    })
  }

  /** In a while, and not before what has come has been heard. */
  #soon(run: () => void): void {
    clearTimeout(this.#late)
    this.#late = setTimeout(() => {
      if (this.#lines.isWaiting && !this.#closing) this.#soon(run)
      else run()
    }, PIPES_MS)
  }

  /** A server that will never say anything again is none, though it may still run. */
  #mute(): void {
    if (!this.#closing)
      this.#ear.fail(new ClientError('lost', `The server closed its stdout (${this.#name})`))
    this.#kill('SIGTERM')
  }

  /** A child of the child's may keep its pipes open for ever. */
  #letGo(): void {
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy()
  }

  #fail(how: string | number | null): void {
    this.#lines.letGo()
    if (this.#closing) return
    const said = this.#stderr.lastWords
    const brief = `The server ended (${this.#name}: ${how})`
    const text = said === '' ? brief : `${brief}. It said: ${said}`
    this.#ear.fail(new ClientError('lost', text, { brief }))
  }
}

/** Of a folder that is not there, the system would say that the program is not. */
function checkFolder({ command, cwd }: Command): void {
  if (cwd === undefined || existsSync(`${cwd}/.`)) return
  const text = `The server could not be started: ${command}: cwd: there is no folder ${cwd}`
  throw new ClientError('unreachable', text, { unsent: true })
}

/** What begins otherwise is text that was printed, and need not be parsed to be told so. */
function mayBeMessage(line: string): boolean {
  return /^\s*[[{]/.test(line)
}

function hasOwnGroup({ ownGroup }: Command): boolean {
  return ownGroup === true && HAS_GROUPS
}

/** Throws a TypeError unless a process could be started from it. */
export function checkCommand(command: unknown): Command {
  checkMembers(command, 'connect')
  return command as Command // As checked.
}

const checkMembers = membersOf(
  {
    command: expecting('the name of a program', (value) => typeof value === 'string' && value !== ''),
    args: texts,
    env: object,
    cwd: text,
    ownGroup: flag,
    stderr: anything,
  } satisfies Members<Command>,
  { needed: ['command'] },
)
