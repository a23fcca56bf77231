import { DRAWING } from './page-script.ts'
import { STYLE } from './page-style.ts'

/** Minutes on both sides of the date that was chosen: half a month. */
const REACH = 15 * 24 * 60

export const SLIDER_STYLE = `${STYLE}
form { display: grid; gap: 12px; margin-top: 18px }
form label { display: grid; gap: 2px; font-size: 13px; color: var(--quiet) }
form div { display: grid; grid-template-columns: 1fr 1fr; gap: 12px }
input, button { font: inherit; min-width: 0; padding: 4px 8px; color: var(--text); background: none; border: 1px solid var(--line); border-radius: 8px }
#slider { padding: 0 }
#note { margin-top: 12px; font-size: 13px; color: var(--quiet) }
`

export const SLIDER = `<dl id="there" hidden>
<div><dt>Height</dt><dd id="height"></dd></div>
<div><dt>Direction</dt><dd id="direction"></dd></div>
<div class="wide"><dt>Next rise</dt><dd id="rise"></dd></div>
<div class="wide"><dt>Next set</dt><dd id="set"></dd></div>
</dl>
<form>
<label>Through a month<input id="slider" type="range" min="${-REACH}" max="${REACH}" step="10" value="0"></label>
<div><label>Date and time<input id="date" type="datetime-local"></label><label>&nbsp;<button id="now" type="button">Now</button></label></div>
<div><label>Latitude<input id="latitude" type="number" min="-90" max="90" step="any" placeholder="52.5"></label>
<label>Longitude<input id="longitude" type="number" min="-180" max="180" step="any" placeholder="13.4"></label></div>
</form>
<p id="note"></p>
`

/** Asks for the Moon of the instant that the slider is at, one question at a time, the last wish first. */
export const SLIDER_SCRIPT = `${DRAWING}
context = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: navigator.language }
const FIELDS = ['latitude', 'longitude']
const start = new URLSearchParams(location.hash.slice(1))
let base = Date.parse(start.get('datetime') || '') || Date.now()
let busy = false
let wanted = false

function chosen() {
  const params = new URLSearchParams({ datetime: new Date(base + element('slider').value * 60000).toISOString() })
  const place = FIELDS.map((name) => [name, element(name).value])
  if (place.every(([, value]) => value !== '')) for (const [name, value] of place) params.set(name, value)
  return params
}

async function refresh() {
  if (busy) return void (wanted = true)
  busy = true
  const params = chosen()
  try {
    const answer = await fetch('moon.json?' + params)
    const said = await answer.json()
    if (!answer.ok) throw new Error(said.error)
    show(said)
    showPlace(said)
    history.replaceState(null, '', '#' + params)
  } catch (error) {
    tell('No answer', error.message)
  }
  busy = false
  if (wanted) refresh((wanted = false))
}

function showPlace(moon) {
  element('note').textContent = moon.accuracy
  element('there').hidden = moon.altitude === undefined
  element('height').textContent = moon.altitude + '°'
  element('direction').textContent = moon.azimuth + '°'
  element('rise').textContent = coming(moon.nextRise, moon.datetime)
  element('set').textContent = coming(moon.nextSet, moon.datetime)
}

function choose(instant) {
  base = instant
  element('slider').value = 0
  const local = new Date(instant - new Date(instant).getTimezoneOffset() * 60000)
  element('date').value = local.toISOString().slice(0, 16)
  refresh()
}

for (const name of FIELDS) element(name).value = start.get(name) || ''
for (const name of ['slider', ...FIELDS]) element(name).addEventListener('input', refresh)
element('date').addEventListener('change', () => choose(new Date(element('date').value).getTime() || Date.now()))
element('now').addEventListener('click', () => choose(Date.now()))
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())
choose(base)
`
