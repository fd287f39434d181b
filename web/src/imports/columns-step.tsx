import { COLUMN_FIELDS, ENCODINGS, type ImportDetail } from '@server/imports/ui-schema.ts'
import { DELIMITERS } from '@server/text/csv-delimiter.ts'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { exactTime } from '../ui/format.ts'
import { Radio, RadioGroup } from '../ui/radio-group.tsx'
import { Option, Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { DELIMITER_WORDS, ENCODING_WORDS, FIELD_WORDS } from './import-words.ts'
import type { ImportActions } from './use-imports.ts'

type Field = ImportDetail['columns'][number]['field']

const NO_FIELD = 'none'

interface ColumnsStepProps {
  job: ImportDetail
  actions: ImportActions
  onChecking: () => void
}

/** How the file is read, and which column goes where. */
export function ColumnsStep({ job, actions, onChecking }: ColumnsStepProps) {
  const [fields, setFields] = useState<Field[]>(() => job.columns.map(({ field }) => field))
  const [mark, setMark] = useState(job.decimal_mark)
  const [tag, setTag] = useState(job.tag ?? '')
  const hasValue = fields.includes('deal_value')
  const isAsked = hasValue && (job.is_mark_a_guess || !job.columns.some(({ field }) => field === 'deal_value'))
  const check = async () => {
    const isDone = await actions.check({ fields, decimal_mark: mark, tag: tag.trim() || null })
    if (isDone) onChecking()
  }
  return (
    <>
      {job.imported_before ? (
        <p role="note">
          This file was imported on {exactTime(job.imported_before)} already. What happens to contacts that are there is
          decided in the next step.
        </p>
      ) : null}
      <FileFormat job={job} actions={actions} />
      <table className="import-table">
        <caption className="visually-hidden">Columns of the file, and the fields that they go to</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Values</th>
            <th scope="col">Goes to</th>
          </tr>
        </thead>
        <tbody>
          {job.columns.map(({ name, samples }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay in the order of the file, and may share a name.
            <tr key={at}>
              <th scope="row">{name || `Column ${at + 1}`}</th>
              <td>
                <ul className="import-samples">
                  {samples.map((sample) => (
                    <li key={sample}>{sample}</li>
                  ))}
                </ul>
              </td>
              <td>
                <Select
                  label={`Field of ${name || `column ${at + 1}`}`}
                  isLabelHidden
                  value={fields[at] ?? NO_FIELD}
                  onChange={(key) => setFields(fields.with(at, key === NO_FIELD ? null : (key as Field)))}
                >
                  <Option id={NO_FIELD}>Do not import</Option>
                  {COLUMN_FIELDS.map((field) => (
                    <Option key={field} id={field}>
                      {FIELD_WORDS[field]}
                    </Option>
                  ))}
                </Select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAsked ? (
        <RadioGroup
          label="1.234 is"
          orientation="horizontal"
          value={mark}
          onChange={(value) => setMark(value as typeof mark)}
        >
          <Radio value=",">one thousand two hundred and thirty-four</Radio>
          <Radio value=".">one point two three four</Radio>
        </RadioGroup>
      ) : null}
      <div className="import-options">
        <TextField
          label="One tag for all"
          isOptional
          description="Put on every contact of this file."
          value={tag}
          onChange={setTag}
          maxLength={64}
        />
      </div>
      {actions.failure === undefined ? null : (
        <FailureText failure={actions.failure} title="The file was not checked." />
      )}
      <div className="import-buttons">
        <Button
          variant="primary"
          icon={<IconArrowRight aria-hidden="true" />}
          isPending={actions.pending === 'check'}
          onPress={() => void check()}
        >
          Check file
        </Button>
        <span className="secondary">Nothing is written to contacts yet.</span>
      </div>
    </>
  )
}

function FileFormat({ job, actions }: Omit<ColumnsStepProps, 'onChecking'>) {
  const change = (changed: Parameters<ImportActions['change']>[0]) => void actions.change(changed)
  return (
    <div className="import-options">
      <Select
        label="Between cells"
        value={job.delimiter}
        onChange={(key) => change({ delimiter: key as ImportDetail['delimiter'] })}
      >
        {DELIMITERS.map((delimiter) => (
          <Option key={delimiter} id={delimiter}>
            {DELIMITER_WORDS[delimiter]}
          </Option>
        ))}
      </Select>
      <Select
        label="Encoding"
        value={job.encoding}
        onChange={(key) => change({ encoding: key as ImportDetail['encoding'] })}
      >
        {ENCODINGS.map((encoding) => (
          <Option key={encoding} id={encoding}>
            {ENCODING_WORDS[encoding]}
          </Option>
        ))}
      </Select>
    </div>
  )
}
