import { useEffect, useRef } from 'preact/hooks'

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['/', 'filter the catalogue'],
  ['↑ ↓', 'go from entry to entry, from message to message'],
  ['Ctrl ↵', 'call; in a line of text ↵ does it, Shift ↵ makes a new line'],
  ['c', 'to the form, or to what is shown'],
  ['h', 'history of calls'],
  ['m', 'filter the messages'],
  ['l', 'to the list of messages'],
  ['t', 'light, dark or as the system has it'],
  ['?', 'this list'],
  ['Esc', 'close, leave a field'],
]

/** What can be done without a mouse: everything, and this quickly. */
export function Help({ open, close }: { readonly open: boolean; readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} class="help" aria-label="Keyboard shortcuts" onClose={close}>
      <h2>Keyboard shortcuts</h2>
      <dl>
        {SHORTCUTS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  )
}
