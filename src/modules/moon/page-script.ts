/** Draws what a tool answered. */
export const DRAWING = `
'use strict'
const root = document.documentElement
const element = (id) => document.getElementById(id)
let context = {}
let shown

function show(moon) {
  shown = moon
  const lit = Math.min(100, Math.max(0, Number(moon.illumination) || 0))
  shade(lit / 100, moon.tilt ?? (moon.waxing !== false ? 90 : 270))
  element('face').setAttribute('transform', 'rotate(' + (Number(moon.north) || 0) + ')')
  element('phase').textContent = moon.phase || guessPhase(lit, moon.waxing !== false)
  element('moment').textContent = moon.datetime ? when(moon.datetime, Math.floor) : ''
  element('illumination').textContent = Math.round(lit) + '%'
  element('age').textContent = moon.age === undefined ? '–' : Number(moon.age).toFixed(1) + ' days'
  element('full').textContent = coming(moon.nextFullMoon, moon.datetime)
  element('new').textContent = coming(moon.nextNewMoon, moon.datetime)
  element('facts').hidden = false
}

function tell(title, text) {
  element('phase').textContent = title
  element('moment').textContent = text
}

/** The terminator is half an ellipse; the limb is overdrawn, so that the blur does not reach it. */
function shade(lit, tilt) {
  const radius = lit < 0.005 ? 112 : 100
  const across = radius * (1 - 2 * lit)
  const sweep = across > 0 ? 0 : 1
  const terminator = 'A' + Math.abs(across) + ',' + radius + ' 0 0 ' + sweep + ' 0,' + -radius
  element('shadow').setAttribute('d', 'M0,-112A112,112 0 0 0 0,112L0,' + radius + terminator + 'Z')
  element('shadow').setAttribute('transform', 'rotate(' + (tilt - 90) + ')')
  element('shadow').style.display = lit > 0.995 ? 'none' : ''
  element('halo').style.opacity = 0.2 + 0.8 * lit
}

function guessPhase(lit, waxing) {
  if (lit < 2) return 'new moon'
  if (lit > 98) return 'full moon'
  if (Math.abs(lit - 50) <= 2) return waxing ? 'first quarter' : 'last quarter'
  return (waxing ? 'waxing ' : 'waning ') + (lit < 50 ? 'crescent' : 'gibbous')
}

function when(instant, toMinute = Math.round) {
  const fields = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }
  const zone = { timeZone: context.timeZone || 'UTC', timeZoneName: 'short' }
  try {
    const minute = toMinute(Date.parse(instant) / 60000) * 60000
    return new Intl.DateTimeFormat(context.locale || 'en-GB', { ...fields, ...zone }).format(minute)
  } catch {
    return String(instant)
  }
}

function coming(instant, from) {
  if (!instant) return '–'
  const hours = Math.round((Date.parse(instant) - Date.parse(from)) / 3600000)
  if (!(hours > 0)) return when(instant)
  const [count, unit] = hours < 24 ? [hours, 'hour'] : [Math.round(hours / 24), 'day']
  return when(instant) + ' (in\\u00a0' + count + '\\u00a0' + unit + (count === 1 ? ')' : 's)')
}
`

/** What the page does: it opens a conversation with its host and draws what the tool answered. */
export const SCRIPT = `${DRAWING}
const send = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

function adopt(changes) {
  context = { ...context, ...changes }
  root.style.colorScheme = context.theme || ''
  for (const [name, value] of Object.entries(context.styles?.variables || {})) {
    if (name.startsWith('--') && value) root.style.setProperty(name, value)
  }
  if (shown) show(shown)
}

const NOTICES = {
  'ui/notifications/tool-result': (result) => {
    if (result.structuredContent && !result.isError) return show(result.structuredContent)
    tell('No answer', (result.content || []).map((block) => block.text || '').join(' '))
  },
  'ui/notifications/tool-cancelled': (params) => tell('Cancelled', params.reason || ''),
  'ui/notifications/host-context-changed': adopt,
}

const ANSWERED = ['ping', 'ui/resource-teardown']
const OPENING = 1

function receive({ source, data }) {
  if (source !== window.parent || data?.jsonrpc !== '2.0') return
  if (data.method === undefined) {
    if (data.id === OPENING && data.result) opened(data.result)
    return
  }
  if (data.id === undefined) return NOTICES[data.method]?.(data.params || {})
  if (ANSWERED.includes(data.method)) return send({ id: data.id, result: {} })
  send({ id: data.id, error: { code: -32601, message: 'Method not found' } })
}

function opened(result) {
  adopt(result.hostContext || {})
  send({ method: 'ui/notifications/initialized', params: {} })
  new ResizeObserver(() => {
    const { width, height } = root.getBoundingClientRect()
    const params = { width: Math.ceil(width), height: Math.ceil(height) }
    send({ method: 'ui/notifications/size-changed', params })
  }).observe(root)
}

/** Opened by itself, the page draws what its address says: #illumination=63&waxing=1 */
function demonstrate() {
  const { waxing, ...said } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  if (said.illumination !== undefined) return show({ ...said, waxing: waxing !== '0' && waxing !== 'false' })
  tell('The Moon', 'Nobody has asked yet. To try it, add #illumination=63&waxing=1 to the address.')
}

shade(0, 90)
if (window.parent === window) {
  window.addEventListener('hashchange', demonstrate)
  demonstrate()
} else {
  window.addEventListener('message', receive)
  const appInfo = { name: 'moonphase', title: 'Phase of the Moon', version: '1.0.0' }
  const { protocolVersion } = root.dataset
  const params = { protocolVersion, appInfo, appCapabilities: { availableDisplayModes: ['inline'] } }
  send({ id: OPENING, method: 'ui/initialize', params })
}
`
