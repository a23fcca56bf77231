/** Told when a tool begins to work, and when it has ended; what comes before and after is the server's own time. */
export interface ToolWatch {
  toolBegan(): void
  toolEnded(): void
}
