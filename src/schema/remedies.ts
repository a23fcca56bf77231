/** What helps where a schema of a library cannot say itself what it is in JSON Schema. */
const REMEDIES: { readonly [vendor: string]: string } = {
  zod: 'zod can from 4.2 on (npm install zod@4); with an older one give z.toJSONSchema(schema) (4.0, 4.1) or zodToJsonSchema(schema) of zod-to-json-schema (3)',
  arktype: 'arktype can from 2.1.28 on (npm install arktype@2); with an older one give schema.toJsonSchema()',
  valibot: 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
}

export function notWritable(vendor: string): TypeError {
  const remedy = REMEDIES[vendor] ?? 'it lacks Standard JSON Schema; give its JSON Schema instead'
  return new TypeError(`this ${vendor} schema cannot be written as JSON Schema: ${remedy}`)
}
