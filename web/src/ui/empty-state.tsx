import './states.css'
import type { ReactNode } from 'react'

export interface EmptyStateProps {
  /** What is not there: "No contacts yet." */
  title: string
  icon?: ReactNode
  children?: ReactNode
  /** Buttons that change it. */
  actions?: ReactNode
}

export function EmptyState({ title, icon, children, actions }: EmptyStateProps) {
  return (
    <div className="state">
      {icon}
      <p className="state-title">{title}</p>
      {children ? <div className="secondary">{children}</div> : null}
      {actions ? <div className="state-actions">{actions}</div> : null}
    </div>
  )
}
