import type { StandardSchemaV1 } from '@standard-schema/spec'

/**
 * What a tool's function is given: the values its input schema lets through. A schema of zod's says so in two places,
 * and the compiler has less to do where it need not go through Standard Schema.
 */
export type Infer<Schema> = Schema extends OfZod
  ? Schema['_zod']['output']
  : Schema extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<Schema>
    : Schema extends undefined
      ? Record<string, never>
      : FromJsonSchema<Schema>

interface OfZod {
  readonly _zod: { readonly input: unknown; readonly output: unknown }
}

/** The values that a schema takes, before it makes others of them. */
export type Accepted<Schema> = Schema extends OfZod
  ? Schema['_zod']['input']
  : Schema extends StandardSchemaV1
    ? StandardSchemaV1.InferInput<Schema>
    : FromJsonSchema<Schema, object>

/**
 * The type of the values that fit a JSON Schema literal; what it cannot express is `unknown`. `Free` is an object of
 * which it says no more: one that is read has unknown members, one that is written may be of any interface.
 */
export type FromJsonSchema<Schema, Free = { readonly [name: string]: unknown }> = Schema extends Chosen
  ? FromChosen<Schema, Free>
  : Schema extends { readonly type: keyof Plain }
    ? Plain[Schema['type']]
    : Schema extends { readonly type: infer Type }
      ? FromType<Type, Schema, Free>
      : unknown

/** Schemas that say what there is to choose from; their type says no more than that. */
type Chosen =
  | { readonly const: unknown }
  | { readonly enum: readonly unknown[] }
  | { readonly anyOf: readonly unknown[] }
  | { readonly oneOf: readonly unknown[] }

type FromChosen<Schema, Free> = Schema extends
  | { readonly const: infer Value }
  | { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly anyOf: readonly (infer One)[] } | { readonly oneOf: readonly (infer One)[] }
    ? FromJsonSchema<One, Free>
    : unknown

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
