export interface StormClient {
  readonly told: number | undefined
  readonly lost: readonly string[]
  readonly stderr: string
  call(): Promise<string>
  close(): Promise<void>
}

export interface StormProject {
  readonly command?: unknown
  save(number: number, tools: number): void
  break(number: number): void
}

export interface StormPlan {
  readonly transport: 'stdio'
  readonly openers: readonly (readonly [name: string, open: () => Promise<StormClient>])[]
  readonly edits: number
  readonly broken: number
  readonly pauseMs: number
  readonly patienceMs?: number
}

export interface StormRow {
  readonly wrong: number
  readonly complaints: readonly string[]
  readonly cells: readonly (string | number)[]
}

export function storm(project: StormProject, plan: StormPlan): Promise<readonly StormRow[]>
