import './organisation-page.css'
import type { OrgSettings } from '@server/orgs/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, patch } from '../api/client.ts'
import { useAdmins, useIsAdmin, useSession } from '../app/session.ts'
import { failureWords, forbiddenWords } from '../ui/failure-words.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toast.ts'
import { NamedListEditor } from './named-list-editor.tsx'
import { OrgForm } from './org-form.tsx'
import { UsageSection } from './usage-section.tsx'

export function OrganisationPage() {
  const { org, stages, labels } = useSession()
  const isAdmin = useIsAdmin()
  const admins = useAdmins()
  return (
    <>
      <PageHeader title="Organisation" section="Settings" lead={isAdmin ? null : forbiddenWords(admins)} />
      <section className="card organisation-facts" aria-labelledby="facts-heading">
        <h2 id="facts-heading">Name and place</h2>
        {isAdmin ? <OrgForm org={org} /> : <Facts org={org} />}
      </section>
      <NamedListEditor kind="stages" saved={stages} isReadOnly={!isAdmin} />
      <StrictSwitch isStrict={org.strict_stages} isReadOnly={!isAdmin} />
      <NamedListEditor kind="labels" saved={labels} isReadOnly={!isAdmin} />
      <UsageSection plan={org.plan} hourlyLimit={org.hourly_limit} />
    </>
  )
}

function Facts({ org }: { org: OrgSettings }) {
  return (
    <dl className="facts">
      <dt>Name</dt>
      <dd>{org.name}</dd>
      <dt>Time zone</dt>
      <dd>{org.time_zone.replaceAll('_', ' ')}</dd>
      <dt>Currency</dt>
      <dd>{org.currency}</dd>
    </dl>
  )
}

/** Takes effect at once. */
function StrictSwitch({ isStrict, isReadOnly }: { isStrict: boolean; isReadOnly: boolean }) {
  const client = useQueryClient()
  const [wanted, setWanted] = useState<boolean>()
  const set = async (strict_stages: boolean) => {
    setWanted(strict_stages)
    try {
      await patch('/org', { strict_stages })
      await client.invalidateQueries({ queryKey: ['session'] })
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      toast({ tone: 'danger', text: failureWords(err, 'The switch was not changed.') })
    }
    setWanted(undefined)
  }
  return (
    <Switch
      isSelected={wanted ?? isStrict}
      isReadOnly={isReadOnly}
      onChange={(isOn) => void set(isOn)}
      description="A contact takes only stages of the pipeline, also through the API. Those that have another keep it."
    >
      Strict pipeline
    </Switch>
  )
}
