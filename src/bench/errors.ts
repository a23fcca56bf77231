/** The server that is to be measured has no tool of the name that was asked for. */
export class UnknownToolError extends Error {}

/** It cannot be reached or started, or it has left. */
export class ServerLostError extends Error {}

/** It is there, and says nothing. */
export class NoAnswerError extends Error {}
