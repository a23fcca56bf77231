import { useState } from 'preact/hooks'
import { keyOf } from '../state/stream.ts'

/** Fetches what the server kept as a recording, and has the browser save it. */
export function ExportButton() {
  const [failure, fail] = useState<string>()
  const save = async () => {
    const response = await fetch('console/recording', {
      headers: { authorization: `Bearer ${keyOf(location.hash)}` },
      cache: 'no-store',
    })
    if (!response.ok) throw new Error(`The server answers ${response.status}`)
    const address = URL.createObjectURL(await response.blob())
    const link = document.createElement('a')
    link.href = address
    link.download = `recording-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.jsonl`
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <>
      <button
        type="button"
        class="small"
        onClick={() => {
          fail(undefined)
          save().catch((error: Error) => fail(error.message))
        }}
      >
        Export
      </button>
      {failure !== undefined && (
        <span class="complaint" role="alert">
          {failure}
        </span>
      )}
    </>
  )
}
