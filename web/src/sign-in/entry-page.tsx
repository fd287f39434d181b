import './entry-page.css'
import { type ReactNode, useEffect } from 'react'
import icon from '../app/icon.svg'
import { usePageHeading } from '../app/page-heading.ts'

export interface EntryPageProps {
  title: string
  /** Above the title: "Step 1 of 3". */
  step?: string | undefined
  lead?: ReactNode
  children: ReactNode
}

/** A page for somebody who has not signed in: one card and nothing around it. */
export function EntryPage({ title, step, lead, children }: EntryPageProps) {
  const heading = usePageHeading(title)
  // Another step is another page to whoever hears it, but the first one leaves the focus to its first field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each title takes the focus once.
  useEffect(() => {
    if (step !== undefined && document.activeElement === document.body) heading.current?.focus()
  }, [title])
  return (
    <main id="content" className="entry">
      <div className="entry-brand">
        <img src={icon} alt="" />
        Kith
      </div>
      <div className="entry-card">
        <div className="entry-head">
          {step === undefined ? null : <p className="entry-step">{step}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead ? <div className="secondary">{lead}</div> : null}
        </div>
        {children}
      </div>
    </main>
  )
}
