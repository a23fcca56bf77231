import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What a tool's function is given: the values its input schema lets through. */
export type Infer<Schema> = Schema extends { readonly _zod: { readonly output: infer Value } }
  ? Value
  : Schema extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<Schema>
    : Schema extends undefined
      ? Record<string, never>
      : FromJsonSchema<Schema>

/**
 * The values that a schema takes, before it makes others of them. A schema of zod's says so in two places, and the
 * compiler has a third less to do where it need not go through Standard Schema.
 */
export type Accepted<Schema> = Schema extends { readonly _zod: { readonly input: infer Value } }
  ? Value
  : Schema extends StandardSchemaV1
    ? StandardSchemaV1.InferInput<Schema>
    : FromJsonSchema<Schema, object>

/**
 * The type of the values that fit a JSON Schema literal; what it cannot express is `unknown`. `Free` is an object of
 * which it says no more: one that is read has unknown members, one that is written may be of any interface.
 */
export type FromJsonSchema<Schema, Free = { readonly [name: string]: unknown }> =
  Schema extends OnlyType<infer Type>
    ? Type extends keyof Plain
      ? Plain[Type]
      : FromType<Type, Schema, Free>
    : Schema extends { readonly const: infer Value } | { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly anyOf: readonly (infer One)[] } | { readonly oneOf: readonly (infer One)[] }
        ? FromJsonSchema<One, Free>
        : unknown

/** Most schemas: looked for first, since it takes the compiler less time than to look for all that they are not. */
interface OnlyType<Type> {
  readonly type: Type
  readonly const?: never
  readonly enum?: never
  readonly anyOf?: never
  readonly oneOf?: never
}

interface Plain {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
}

type FromType<Type, Schema, Free> = Type extends 'object'
  ? FromObject<Schema, Free>
  : Type extends 'array'
    ? FromArray<Schema, Free>
    : Type extends keyof Plain
      ? Plain[Type]
      : Type extends readonly (infer One)[]
        ? FromType<One, Schema, Free>
        : unknown

type FromArray<Schema, Free> = Schema extends { readonly items: infer Items }
  ? readonly FromJsonSchema<Items, Free>[]
  : readonly unknown[]

type FromObject<Schema, Free> = Schema extends { readonly properties: infer Properties }
  ? Schema extends { readonly required: readonly (infer Name)[] }
    ? keyof Properties extends Name
      ? { readonly [Name in keyof Properties]: FromJsonSchema<Properties[Name], Free> }
      : Flat<
          { readonly [One in keyof Properties & Name]: FromJsonSchema<Properties[One], Free> } & {
            readonly [One in Exclude<keyof Properties, Name>]?: FromJsonSchema<Properties[One], Free>
          }
        >
    : { readonly [Name in keyof Properties]?: FromJsonSchema<Properties[Name], Free> }
  : Free

/** One object type instead of an intersection, for whoever reads it in an editor. */
type Flat<Type> = { readonly [Name in keyof Type]: Type[Name] }
