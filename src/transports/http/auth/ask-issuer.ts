import { BytePieces } from '../../byte-pieces.ts'

/** Far more than any issuer has to say of itself or its keys. */
const MAX_BYTES = 256 * 1024

/** Asks an issuer, and reads no more than a sound answer has, however small it was on the way. */
export async function askIssuer(
  place: string | URL,
  options: RequestInit,
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, text } = await ask(place, options).catch((error: unknown) => {
    throw unreachable(place, error)
  })
  if (text !== undefined) return { status, text }
  throw new Error(
    `${place} answered with more than ${MAX_BYTES} bytes, which is more than is read of an issuer`,
  )
}

async function ask(place: string | URL, options: RequestInit) {
  const response = await fetch(place, options)
  return { status: response.status, text: await readText(response) }
}

/** Undefined when it is too long; whoever sends it is not listened to any more. */
async function readText({ body }: Response): Promise<string | undefined> {
  const read = new BytePieces()
  for await (const piece of body ?? []) {
    read.add(piece)
    if (read.length > MAX_BYTES) return undefined
  }
  return new TextDecoder().decode(read.take())
}

/** What keeps the network from answering stands in the cause, and where it was asked nowhere. */
function unreachable(place: string | URL, error: unknown): Error {
  const { cause } = error as { readonly cause?: unknown } // Anything may be thrown, and most things have none.
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : String(error)
  return new Error(`The issuer cannot be asked at ${place}: ${reason}`, { cause: error })
}
