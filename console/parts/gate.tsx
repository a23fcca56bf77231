import { useState } from 'preact/hooks'
import { giveApiKey, type Standing, type Talk } from '../state/session.ts'
import { Moon } from './moon.tsx'
import { Plain } from './plain.tsx'

/** Without its key the page shows nothing, and says where to find it. */
export function Gate({ standing: { phase, text } }: { readonly standing: Standing }) {
  return (
    <main class="gate">
      <Moon size={120} />
      <h1>{phase === 'refused' ? 'This key does not open it' : 'The key is missing'}</h1>
      <p>
        The console shows what passes between a server and its clients, so it is opened with a key. The server
        prints the whole address when it starts:
      </p>
      <pre class="code" tabIndex={0}>{`${location.origin}${location.pathname}#key`}</pre>
      <p class="quiet">It stands on its terminal, or in its log.</p>
      {text !== undefined && text !== '' && (
        <p class="complaint">
          <Plain text={text} />
        </p>
      )}
    </main>
  )
}

/** The server is not there: what was heard stays, and the page comes back by itself. */
export function GoneBanner({ standing: { phase, text } }: { readonly standing: Standing }) {
  if (phase !== 'gone') return null
  return (
    <p class="banner bad" role="alert">
      The server is gone{text === undefined ? '' : ` (${text})`}. This page tries again by itself.
    </p>
  )
}

/** MCP itself may want a key of its own. */
export function TalkBanner({ talk: { state, error } }: { readonly talk: Talk }) {
  const [key, write] = useState('')
  if (state === 'failed')
    return (
      <p class="banner bad" role="alert">
        This page cannot speak MCP with the server: <Plain text={error ?? ''} />
      </p>
    )
  if (state !== 'wants-key') return null
  return (
    <form
      class="banner"
      onSubmit={(event) => {
        event.preventDefault()
        giveApiKey(key)
      }}
    >
      <label for="api-key">This server wants an API key for MCP:</label>
      <input
        id="api-key"
        type="password"
        autocomplete="off"
        value={key}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      <button type="submit" class="primary">
        Use it
      </button>
      {error !== undefined && (
        <span class="complaint">
          <Plain text={error} />
        </span>
      )}
    </form>
  )
}
