import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, post } from '../api/client.ts'
import { enter } from '../sign-in/enter.ts'
import { EntryPage } from '../sign-in/entry-page.tsx'
import { Button } from '../ui/button.tsx'
import { FailureText } from '../ui/error-state.tsx'

type Choice = 'import' | 'sample' | 'empty'

/** The last step of the set-up: what there is to see first. */
export function StartWith() {
  const router = useRouter()
  const [pending, setPending] = useState<Choice>()
  const [failure, setFailure] = useState<unknown>()
  const start = async (choice: Choice) => {
    setPending(choice)
    setFailure(undefined)
    try {
      if (choice === 'sample') await post('/sample-data')
      await enter(router, choice === 'import' ? '/imports' : '/contacts')
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
      setPending(undefined)
    }
  }
  const button = (choice: Choice, text: string) => (
    <Button
      variant={choice === 'import' ? 'primary' : 'default'}
      isPending={pending === choice}
      isDisabled={pending !== undefined && pending !== choice}
      onPress={() => void start(choice)}
    >
      {text}
    </Button>
  )
  return (
    <EntryPage step="Step 3 of 3" title="Start with" lead="Kith is set up, and you are signed in.">
      {failure === undefined ? null : <FailureText failure={failure} />}
      <div className="entry-choices">
        <div className="entry-choice">
          {button('import', 'Import a CSV')}
          <p className="secondary small">From a spreadsheet or another CRM. You see what becomes of it first.</p>
        </div>
        <div className="entry-choice">
          {button('sample', 'Try it with sample data')}
          <p className="secondary small">100 made-up contacts, removable in one click.</p>
        </div>
        <div className="entry-choice">{button('empty', 'Start empty')}</div>
      </div>
    </EntryPage>
  )
}
