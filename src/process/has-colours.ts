/** Whether stderr is a terminal whose user wants colours; `NO_COLOR` says no. */
export function hasColours(): boolean {
  const { stderr } = globalThis.process ?? {} // Not everything that runs JavaScript has one.
  return stderr?.isTTY === true && stderr.hasColors()
}
