/** What is measured: how it is called, in which unit, and which way is better. */
const higher = (title, unit) => ({ title, unit, better: 'higher' })
const lower = (title, unit) => ({ title, unit, better: 'lower' })

export const CASES = {
  'stdio.cold': lower('cold start', 'ms'),
  'stdio.latency': lower('latency p50', 'µs'),
  'stdio.pipelined': higher('pipelined', 'calls/s'),
  'stdio.cpu': lower('CPU', 's/100k'),
  'stdio.big': higher('512 KiB', 'MiB/s'),
  'stdio.list': lower('list 1000', 'ms'),
  'stdio.notices': higher('notices', '/s'),
  'stdio.rss': lower('memory', 'MiB'),
  'http.json.1': higher('JSON, 1', 'req/s'),
  'http.json.16': higher('JSON, 16', 'req/s'),
  'http.json.64': higher('JSON, 64', 'req/s'),
  'http.cpu': lower('CPU, 16', 's/100k'),
  'http.events.1': higher('events, 1', 'req/s'),
  'http.events.16': higher('events, 16', 'req/s'),
  'http.events.64': higher('events, 64', 'req/s'),
  'http.rss': lower('memory', 'MiB'),
  'sessions.2000': lower('2,000 sessions', 'KiB each'),
  'sessions.10000': lower('10,000 sessions', 'KiB each'),
  'sessions.rss': lower('resident (with room to grow)', 'KiB each'),
  'streams.memory': lower('1,000 streams', 'KiB each'),
  'streams.notices': higher('a notice to each', '/s'),
  'install.size': lower('install size', 'MiB'),
  'install.packages': lower('packages', ''),
  'import.time': lower('node + import', 'ms'),
}

/** Values whose ratio to the limit says something. */
export const HAS_LIMIT = (id) => !/^(sessions|install|streams\.memory)/.test(id)
