// Why a scenario cannot go through to an upstream of another revision, or over another transport, as it goes direct.

/** The first that fits is told; a scenario that fails without one is a failure of ours. */
const REASONS = [
  {
    why: 'only over Streamable HTTP of 2025-11-25 can a server let go of the connection of a call',
    fits: (scenario, { revision, transport }) =>
      scenario === 'server-sse-polling' && (transport !== 'Streamable HTTP' || revision !== '2025-11-25'),
  },
  {
    why: 'skills came with 2026-07-28',
    fits: (scenario, { revision }) => scenario.startsWith('sep-2640-') && revision < '2026-07-28',
  },
  {
    why: 'tasks came with 2025-11-25',
    fits: (scenario, { revision }) => scenario.startsWith('tasks-') && revision < '2025-11-25',
  },
  {
    why: 'a 2025 upstream has no keys for its questions, so that a client finds others than the suite expects',
    fits: (scenario, { revision }) =>
      /^input-required-result-(?:basic-elicitation|ignore-extra-params)$/.test(scenario) &&
      revision < '2026-07-28' &&
      revision > '2025-03-26',
  },
  {
    why: 'sound, forms and their defaults came after 2024-11-05',
    fits: (scenario, { revision }) =>
      /audio|elicitation|^input-required/.test(scenario) && revision === '2024-11-05',
  },
  {
    why: 'forms in which several can be chosen came with 2025-11-25',
    fits: (scenario, { revision }) => scenario === 'elicitation-sep1330-enums' && revision < '2025-11-25',
  },
]

export function reasonOf(scenario, upstream) {
  return upstream && REASONS.find(({ fits }) => fits(scenario, upstream))?.why
}
