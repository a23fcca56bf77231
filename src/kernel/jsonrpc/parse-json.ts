/** What a text of others says; undefined where it is no JSON, whose words nobody is told: they would quote it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
