import './page-header.css'
import type { ReactNode } from 'react'
import { usePageHeading } from '../app/page-heading.ts'
import type { ApiCall } from './api-call.ts'
import { ShowAsApiCall } from './show-as-api-call.tsx'

export interface PageHeaderProps {
  /** The `h1`, and the first part of the document's title. */
  title: string
  /** The second part of the document's title, for a page within another: "Contacts". */
  section?: string | undefined
  /** Beside the title: "1,204". */
  count?: ReactNode
  /** Under the title. */
  lead?: ReactNode
  /** Buttons, the main one last. */
  actions?: ReactNode
  /** Adds the button **Show as API call**. */
  apiCall?: ApiCall | undefined
}

export function PageHeader({ title, section, count, lead, actions, apiCall }: PageHeaderProps) {
  const heading = usePageHeading(title, section)
  return (
    <header className="page-header">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {count === undefined ? null : <span className="page-count">{count}</span>}
      {actions || apiCall ? (
        <div className="page-actions">
          {apiCall ? <ShowAsApiCall call={apiCall} /> : null}
          {actions}
        </div>
      ) : null}
      {lead ? <div className="page-lead">{lead}</div> : null}
    </header>
  )
}
