import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What a tool's function is given: the values its input schema lets through. */
export type Infer<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends undefined
    ? Record<string, never>
    : FromJsonSchema<Schema>

/** The type of the values that fit a JSON Schema literal; what it cannot express is `unknown`. */
export type FromJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer One)[] }
      ? FromJsonSchema<One>
      : Schema extends { readonly oneOf: readonly (infer One)[] }
        ? FromJsonSchema<One>
        : Schema extends { readonly type: infer Type }
          ? FromType<Type, Schema>
          : unknown

interface Plain {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
}

type FromType<Type, Schema> = Type extends readonly (infer One)[]
  ? FromType<One, Schema>
  : Type extends keyof Plain
    ? Plain[Type]
    : Type extends 'array'
      ? FromArray<Schema>
      : Type extends 'object'
        ? FromObject<Schema>
        : unknown

type FromArray<Schema> = Schema extends { readonly items: infer Items }
  ? readonly FromJsonSchema<Items>[]
  : readonly unknown[]

type FromObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { readonly [Name in keyof Properties & Required<Schema>]: FromJsonSchema<Properties[Name]> } & {
        readonly [Name in Exclude<keyof Properties, Required<Schema>>]?: FromJsonSchema<Properties[Name]>
      }
    >
  : { readonly [name: string]: unknown }

type Required<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

/** One object type instead of an intersection, for whoever reads it in an editor. */
type Flat<Type> = { readonly [Name in keyof Type]: Type[Name] }
