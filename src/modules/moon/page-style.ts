/** How the page looks; the host's own colours and fonts win where it names them. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: var(--color-text-primary, light-dark(#1b1d26, #f1efe8));
  --quiet: var(--color-text-secondary, light-dark(#5a5e6e, #a9adbd));
  --ground: var(--color-background-primary, light-dark(#ffffff, #14161f));
  --line: var(--color-border-primary, light-dark(#e2e3ea, #2c3040));
}
* { box-sizing: border-box; margin: 0 }
body {
  display: flex; flex-wrap: wrap; align-items: center; gap: 24px 32px; padding: 20px;
  background: var(--ground); color: var(--text);
  font: 16px/1.5 var(--font-sans, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
}
figure {
  flex: 0 1 290px; min-width: 200px; margin: 0 auto; aspect-ratio: 1; border-radius: 20px; overflow: hidden;
  background: radial-gradient(circle at 50% 50%, #2a3352 30%, #131a30 62%, #0a0e1c 100%);
}
svg { display: block; width: 100%; height: 100% }
main { flex: 1 1 260px }
h1 { font-size: 27px; font-weight: 600; line-height: 1.2; letter-spacing: -.01em }
h1::first-letter { text-transform: uppercase }
#moment { margin-top: 4px; color: var(--quiet); overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: 1fr 1fr; margin-top: 18px; border-top: 1px solid var(--line) }
dl[hidden] { display: none }
dl > div { padding: 10px 0; border-bottom: 1px solid var(--line) }
dl > .wide { grid-column: 1 / -1 }
dt { font-size: 13px; color: var(--quiet) }
dd { font-variant-numeric: tabular-nums }
.large { font-size: 22px; line-height: 1.3 }
`
