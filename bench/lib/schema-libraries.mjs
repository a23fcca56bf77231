const LIMITS = { known: new Map(), formats: 'noted', maxParts: 3000, maxSteps: 1_000_000 }

/** What is loaded before a library is, and would be without it. */
export const before = {
  'perigee, in a server': async () => {
    const { defineServer } = await import('../../dist/index.js')
    const server = defineServer({ name: 'probe', version: '1', tools: [{ name: 'a', run: () => '' }] })
    before.validator = server.open({ outlet: { send: () => {} } }).server.platform.validator
    before.validator.shape({ type: 'object' }, 'input')
  },
}

/** Each gives a function that compiles a schema into a function that says whether a value fits. */
export const LIBRARIES = {
  /** As it is published: what a server reads when it needs it, and has the everyday schemas compiled when used. */
  'perigee, in a server': async () => {
    const { validator } = before
    validator.prepare()
    return (schema) => {
      const shape = validator.shape(schema, 'input')
      return (value) => 'value' in shape.read(value)
    }
  },
  /** All of it in one file, as others come. */
  perigee: async (bundle) => {
    const { compile } = await import(bundle)
    return (schema) => compile(schema, LIMITS).fits
  },
  /** The same, with what is wrong put into words. */
  'perigee, in words': async (bundle) => {
    const { compile } = await import(bundle)
    return (schema) => {
      const { check } = compile(schema, LIMITS)
      return (value) => check(value) === undefined
    }
  },
  ajv: async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true })
    return (schema) => ajv.compile(schema)
  },
  schemasafe: async () => {
    const { validator } = await import('@exodus/schemasafe')
    return (schema) => validator(schema, { mode: 'spec', isJSON: true })
  },
  typebox: async () => {
    const { Compile } = await import('typebox/schema')
    return (schema) => {
      const compiled = Compile(schema)
      return (value) => compiled.Check(value)
    }
  },
  'json-schema-library': async () => {
    const { compileSchema } = await import('json-schema-library')
    return (schema) => {
      const compiled = compileSchema(schema)
      return (value) => compiled.validate(value).valid
    }
  },
  hyperjump: async () => {
    const { registerSchema, validate } = await import('@hyperjump/json-schema/draft-2020-12')
    let count = 0
    return async (schema) => {
      const uri = `https://example.org/${count++}`
      registerSchema(schema, uri, 'https://json-schema.org/draft/2020-12/schema')
      const check = await validate(uri)
      return (value) => check(value).valid
    }
  },
  cfworker: async () => {
    const { Validator } = await import('@cfworker/json-schema')
    return (schema) => {
      const validator = new Validator(schema, '2020-12')
      return (value) => validator.validate(value).valid
    }
  },
}

/** Who cannot be had where code from strings is forbidden. */
export const NEEDS_EVAL = new Set(['ajv', 'schemasafe', 'typebox'])

/** The arguments of an ordinary tool. */
export const createSchema = () => ({
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, maxLength: 100 },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    units: { enum: ['metric', 'imperial'] },
    detailed: { type: 'boolean' },
  },
  required: ['city', 'days'],
  additionalProperties: false,
})

export const VALID = '{"city":"Lisbon","days":3,"units":"metric","detailed":true}'
export const INVALID = '{"city":"Lisbon","days":"3","units":"metric","detailed":true}'
