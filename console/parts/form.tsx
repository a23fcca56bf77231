import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Field, Member, ObjectField } from '../model/field.ts'
import { type Complaint, initialOf, withMember } from '../model/filling.ts'
import { isRecord, memberOf } from '../model/json.ts'
import { cut } from '../model/text.ts'
import { ChoicesInput, ListInput, UnionInput } from './form-parts.tsx'
import { ChoiceInput, NumberInput, TextInput } from './inputs.tsx'
import { JsonInput } from './json-editor.tsx'
import { Long, Plain } from './plain.tsx'

export interface FieldProps<Kind extends Field = Field> {
  readonly field: Kind
  readonly value: unknown
  readonly change: (value: unknown) => void
  readonly path: string
  readonly complaints: readonly Complaint[]
  readonly required: boolean
  /** Of the element that is filled in. */
  readonly id: string
  /** Of what says more about it. */
  readonly about?: string | undefined
  /** Draws a field of any kind, within those that hold others. */
  readonly input: (props: FieldProps) => ComponentChildren
}

/** All members of an object, each with its label. */
export function Members({
  field,
  value,
  change,
  path,
  complaints,
}: Omit<FieldProps<ObjectField>, 'id' | 'required' | 'input'>) {
  const held = isRecord(value) ? value : {}
  return (
    <div class="members">
      {field.members.map((member) => (
        <MemberRow
          key={member.name}
          member={member}
          value={memberOf(held, member.name)}
          change={(next) => change(withMember(held, member.name, next))}
          path={path === '' ? member.name : `${path}.${member.name}`}
          complaints={complaints}
        />
      ))}
    </div>
  )
}

interface MemberProps {
  readonly member: Member
  readonly value: unknown
  readonly change: (value: unknown) => void
  readonly path: string
  readonly complaints: readonly Complaint[]
}

function MemberRow({ member, value, change, path, complaints }: MemberProps) {
  const id = useId()
  const { field, required, name } = member
  const complaint = complaints.find((one) => one.path === path)
  const isGroup = ['object', 'array', 'union', 'choices'].includes(field.kind)
  const about = field.description === undefined && complaint === undefined ? undefined : `${id}-about`
  const input = <Input {...{ field, value, change, path, complaints, required, id, about, input: Input }} />
  return (
    <Row
      {...{ id, isGroup, complained: complaint !== undefined }}
      label={<Label {...{ name, field, required }} />}
    >
      {field.description !== undefined && (
        <p class="hint" id={about}>
          <Long text={field.description} />
        </p>
      )}
      {input}
      {complaint !== undefined && <p class="complaint">{complaint.text}</p>}
    </Row>
  )
}

interface RowProps {
  readonly id: string
  readonly isGroup: boolean
  readonly complained: boolean
  readonly label: ComponentChildren
  readonly children: ComponentChildren
}

function Row({ id, isGroup, complained, label, children }: RowProps) {
  const looks = `field${complained ? ' complained' : ''}`
  if (isGroup)
    return (
      <fieldset class={looks} id={id} tabIndex={-1}>
        <legend>{label}</legend>
        {children}
      </fieldset>
    )
  return (
    <div class={looks}>
      <label for={id}>{label}</label>
      {children}
    </div>
  )
}

function Label({
  name,
  field,
  required,
}: {
  readonly name: string
  readonly field: Field
  readonly required: boolean
}) {
  return (
    <>
      <span class="field-name">
        <Plain text={cut(name, 120)} />
      </span>
      {field.title !== undefined && field.title !== name && (
        <span class="field-title">
          <Plain text={cut(field.title, 120)} />
        </span>
      )}
      <span class={required ? 'kind required' : 'kind'}>
        {kindName(field)}
        {required ? ', required' : ''}
      </span>
    </>
  )
}

function kindName(field: Field): string {
  if (field.kind === 'number') return field.integer ? 'integer' : 'number'
  if (field.kind === 'text') return field.format === 'plain' ? 'text' : field.format
  return (
    { choice: 'one of', choices: 'some of', fixed: 'fixed', array: 'list', union: 'either' }[
      field.kind as string
    ] ?? field.kind
  )
}

/** What a field is filled in with, by its kind. */
function Input(props: FieldProps): ComponentChildren {
  const { field } = props
  switch (field.kind) {
    case 'text':
      return <TextInput {...props} field={field} />
    case 'number':
      return <NumberInput {...props} field={field} />
    case 'boolean':
      return (
        <ChoiceInput
          {...props}
          choices={[
            { value: true, label: 'true' },
            { value: false, label: 'false' },
          ]}
        />
      )
    case 'choice':
      return <ChoiceInput {...props} choices={field.choices} />
    case 'choices':
      return <ChoicesInput {...props} choices={field.choices} />
    case 'fixed':
      return <Fixed {...props} held={field.value} />
    case 'object':
      return <Inner {...props} field={field} />
    case 'array':
      return <ListInput {...props} field={field} />
    case 'union':
      return <UnionInput {...props} field={field} />
    default:
      return <JsonInput {...props} />
  }
}

function Fixed({ id, held, value, change, required }: FieldProps & { readonly held: unknown }) {
  const label = JSON.stringify(held)
  if (required)
    return (
      <output id={id} class="fixed">
        {label}
      </output>
    )
  return (
    <span class="check">
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined}
        onChange={({ currentTarget }) => change(currentTarget.checked ? held : undefined)}
      />{' '}
      {label}
    </span>
  )
}

/** An object within another; one that need not be there is put there first. */
function Inner(props: FieldProps<ObjectField>) {
  const { field, value, change, required } = props
  if (value === undefined && !required)
    return (
      <button type="button" class="small" onClick={() => change(initialOf(field) ?? {})}>
        + Fill in
      </button>
    )
  return (
    <div class="nested">
      <Members {...props} />
      {!required && (
        <button type="button" class="small" onClick={() => change(undefined)}>
          Leave out
        </button>
      )}
    </div>
  )
}
