export function serveSdk(): Promise<{
  readonly origin: string
  forget(): void
  close(): Promise<unknown>
}>
