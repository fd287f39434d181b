import './named-list-editor.css'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure, get, post } from '../api/client.ts'
import { announce } from '../app/announce.ts'
import { Button } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { counted } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { Option, Select } from '../ui/select.tsx'
import { COLOUR_NAMES, STAGE_COLOURS, type StageColour, stageColour } from '../ui/stage-colours.ts'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { moved } from './moved.ts'
import { differs, type Effect, effectOf, type Named, type NamedRow, newRow, rowsOf, sentRows } from './named-rows.ts'
import { useRowDrag } from './row-drag.ts'

export interface NamedListEditorProps {
  /** Also the name of the list in what is sent. */
  kind: 'stages' | 'labels'
  saved: readonly Named[]
  /** Members see it and change nothing. */
  isReadOnly: boolean
}

const WORDS = {
  stages: { one: 'stage', title: 'Pipeline', save: 'Save pipeline', add: 'Add stage' },
  labels: { one: 'label', title: 'Labels', save: 'Save labels', add: 'Add label' },
}

/** Order, names, colours and, of stages, chances of winning. Nothing is changed before it is saved. */
export function NamedListEditor({ kind, saved, isReadOnly }: NamedListEditorProps) {
  const client = useQueryClient()
  const words = WORDS[kind]
  const [rows, setRows] = useState(() => rowsOf(saved))
  const [asked, setAsked] = useState<Effect>()
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const counts = useQuery({
    queryKey: ['org', kind, 'usage'],
    queryFn: ({ signal }) => get<{ data: { name: string; contacts: number }[] }>(`/org/${kind}/usage`, { signal }),
  })
  const isChanged = differs(rows, saved)
  const byName = new Map(counts.data?.data.map(({ name, contacts }) => [name, contacts]))

  // What somebody else has saved shows here, unless something is being edited.
  const shown = useRef(saved)
  useEffect(() => {
    if (shown.current === saved) return
    const wasChanged = differs(rows, shown.current)
    shown.current = saved
    if (!wasChanged) setRows(rowsOf(saved))
  }, [saved, rows])

  const move = (from: number, to: number) => {
    if (to < 0 || to >= rows.length || from === to) return
    announce(`Moved ${rows[from]!.name} to place ${to + 1} of ${rows.length}.`)
    setRows(moved(rows, from, to))
  }
  const change = (key: number, part: Partial<NamedRow>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const send = async () => {
    setFailure(undefined)
    setPending(true)
    try {
      const body = { [kind]: sentRows(rows, kind === 'stages') }
      const answer = await post<Record<string, Named[]> & { moving: number }>(`/org/${kind}`, body)
      shown.current = answer[kind]!
      setRows(rowsOf(answer[kind]!))
      await client.invalidateQueries({ queryKey: ['session'] })
      void client.invalidateQueries({ queryKey: ['org'] })
      const { moving } = answer
      toast({ text: moving > 0 ? `Saved. ${counted(moving, 'contact')} move to the new name.` : 'Saved.' })
    } finally {
      setPending(false)
    }
  }
  const save = async () => {
    const effect = effectOf(rows, saved, byName)
    if (effect.renamed.length + effect.removed.length > 0) return setAsked(effect)
    try {
      await send()
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
    }
  }
  const faults = failure instanceof ApiFailure ? failure.details : []
  return (
    <section className="named-list card" aria-labelledby={`${kind}-heading`}>
      <h2 id={`${kind}-heading`}>{words.title}</h2>
      {isReadOnly ? (
        <ul className="named-list-chips">
          {saved.map(({ name, color, probability }) => (
            <li key={name}>
              <Chip tone={stageColour(color)}>{name}</Chip>
              {probability === null || probability === undefined ? null : (
                <span className="secondary small"> {probability} %</span>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <>
          {/* Each field has its own label for readers. */}
          <div className="named-row named-list-head secondary small" aria-hidden>
            <span />
            <span>Name</span>
            <span>Colour</span>
            {kind === 'stages' ? <span>Chance, %</span> : null}
          </div>
          <ul className="named-list-rows">
            {rows.map((row, at) => (
              <Row
                key={row.key}
                kind={kind}
                row={row}
                at={at}
                last={rows.length - 1}
                contacts={row.was === null ? 0 : (byName.get(row.was) ?? 0)}
                fault={
                  faults.find(({ path }) => path === `${kind}/${at}` || path.startsWith(`${kind}/${at}/`))?.message
                }
                onMove={move}
                onChange={change}
                onRemove={(key) => setRows(rows.filter((other) => other.key !== key))}
              />
            ))}
          </ul>
          {failure === undefined ? null : <FailureText failure={failure} title={`The ${kind} were not saved.`} />}
          <div className="named-list-actions">
            <Button
              icon={<IconPlus />}
              isDisabled={rows.length >= 50}
              onPress={() => setRows([...rows, newRow(rows, Object.values(STAGE_COLOURS))])}
            >
              {words.add}
            </Button>
            {isChanged ? (
              <>
                <Button
                  onPress={() => {
                    setRows(rowsOf(saved))
                    setFailure(undefined)
                  }}
                >
                  Discard changes
                </Button>
                <Button variant="primary" isPending={isPending} onPress={() => void save()}>
                  {words.save}
                </Button>
              </>
            ) : null}
          </div>
        </>
      )}
      <ConfirmDialog
        title={`Save the ${kind}?`}
        confirm={words.save}
        isDanger={false}
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        onConfirm={async () => {
          try {
            await send()
          } catch (err) {
            // A wrong name is shown at its row.
            if (!(err instanceof ApiFailure) || err.details.length === 0) throw err
            setFailure(err)
          }
        }}
      >
        <EffectText effect={asked} one={words.one} />
      </ConfirmDialog>
    </section>
  )
}

function EffectText({ effect, one }: { effect: Effect | undefined; one: string }) {
  if (!effect) return null
  return (
    <ul className="named-list-effect">
      {effect.renamed.map(({ from, to, contacts }) => (
        <li key={from}>
          {counted(contacts, 'contact')} move from “{from}” to “{to}”, and webhooks tell of each.
        </li>
      ))}
      {effect.removed.map(({ name, contacts }) => (
        <li key={name}>
          {counted(contacts, 'contact')} keep “{name}”, which is then no listed {one} any more.
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  kind: 'stages' | 'labels'
  row: NamedRow
  at: number
  last: number
  contacts: number
  fault: string | undefined
  onMove: (from: number, to: number) => void
  onChange: (key: number, part: Partial<NamedRow>) => void
  onRemove: (key: number) => void
}

function Row({ kind, row, at, last, contacts, fault, onMove, onChange, onRemove }: RowProps) {
  const drag = useRowDrag(kind, at, onMove)
  const name = row.name || `new ${WORDS[kind].one}`
  return (
    <li ref={drag.row} className="named-row" data-over={drag.isOver ? '' : undefined}>
      <span ref={drag.handle} className="named-row-handle" aria-hidden="true" title="Drag to move">
        <IconGripVertical />
      </span>
      <div className="named-row-name">
        <TextField
          label={`Name of ${WORDS[kind].one} ${at + 1}`}
          isLabelHidden
          autoFocus={row.was === null && row.name === ''}
          value={row.name}
          onChange={(text) => onChange(row.key, { name: text })}
          maxLength={64}
          {...(fault ? { isInvalid: true, errorMessage: fault } : {})}
        />
      </div>
      <div className="named-row-colour">
        <Select
          label={`Colour of ${name}`}
          isLabelHidden
          value={stageColour(row.color)}
          onChange={(key) => onChange(row.key, { color: STAGE_COLOURS[key as StageColour] })}
        >
          {Object.entries(COLOUR_NAMES).map(([tone, text]) => (
            <Option key={tone} id={tone} text={text}>
              <Chip tone={tone as StageColour}>{text}</Chip>
            </Option>
          ))}
        </Select>
      </div>
      {kind === 'stages' ? (
        <div className="named-row-chance">
          <NumberField
            label={`Probability of ${name}, percent`}
            isLabelHidden
            minValue={0}
            maxValue={100}
            formatOptions={{ style: 'unit', unit: 'percent' }}
            value={row.probability ?? Number.NaN}
            onChange={(value) => onChange(row.key, { probability: Number.isNaN(value) ? null : Math.round(value) })}
          />
        </div>
      ) : null}
      <span className="named-row-count secondary small tabular">
        {contacts > 0 ? counted(contacts, 'contact') : ''}
      </span>
      <span className="named-row-buttons">
        <IconButton label={`Move ${name} up`} isSmall isDisabled={at === 0} onPress={() => onMove(at, at - 1)}>
          <IconArrowUp />
        </IconButton>
        <IconButton label={`Move ${name} down`} isSmall isDisabled={at === last} onPress={() => onMove(at, at + 1)}>
          <IconArrowDown />
        </IconButton>
        <IconButton label={`Remove ${name}`} isSmall onPress={() => onRemove(row.key)}>
          <IconTrash />
        </IconButton>
      </span>
    </li>
  )
}
