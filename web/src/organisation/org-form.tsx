import type { OrgSettings } from '@server/orgs/schema.ts'
import { OrgPatch } from '@server/orgs/ui-schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { patch } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ComboBox, Option } from '../ui/combo-box.tsx'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

/** Name, time zone and currency. */
export function OrgForm({ org }: { org: OrgSettings }) {
  const client = useQueryClient()
  const form = useForm(OrgPatch, {
    initial: { name: org.name, time_zone: org.time_zone, currency: org.currency },
    onSubmit: async (change) => {
      await patch<OrgSettings>('/org', change)
      await client.invalidateQueries({ queryKey: ['session'] })
      toast({ text: 'Saved.' })
    },
  })
  const zone = form.field<string>('time_zone')
  const currency = form.field<string>('currency')
  const isChanged =
    form.text('name').value.trim() !== org.name || zone.value !== org.time_zone || currency.value !== org.currency
  const zones = useMemo(() => withOwn(Intl.supportedValuesOf('timeZone'), org.time_zone), [org.time_zone])
  return (
    <Form form={form} failureTitle="The organisation was not saved.">
      <TextField label="Name" autoComplete="organization" {...form.text('name')} />
      <ComboBox
        label="Time zone"
        name="time_zone"
        empty="No such time zone."
        value={zone.value}
        onChange={(key) => key && zone.onChange(String(key))}
      >
        {zones.map((name) => (
          <Option key={name} id={name}>
            {name.replaceAll('_', ' ')}
          </Option>
        ))}
      </ComboBox>
      <ComboBox
        label="Currency"
        name="currency"
        description="What deal values are in. Values are not converted."
        empty="No such currency."
        value={currency.value}
        onChange={(key) => key && currency.onChange(String(key))}
      >
        {CURRENCIES.map(({ code, text }) => (
          <Option key={code} id={code}>
            {text}
          </Option>
        ))}
      </ComboBox>
      <FormActions>
        <Button type="submit" variant="primary" isPending={form.isPending} isDisabled={!isChanged}>
          Save changes
        </Button>
      </FormActions>
    </Form>
  )
}

const names = new Intl.DisplayNames('en', { type: 'currency' })
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({ code, text: `${code} · ${names.of(code)}` }))

/** A zone under an older name, or `UTC`, is a choice too. */
function withOwn(zones: string[], own: string): string[] {
  return ['UTC', ...(own === 'UTC' || zones.includes(own) ? [] : [own]), ...zones.filter((zone) => zone !== 'UTC')]
}
