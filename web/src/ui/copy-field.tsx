import './copy-field.css'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { announce } from '../app/announce.ts'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { TextArea } from './text-area.tsx'
import { TextField } from './text-field.tsx'

export interface CopyFieldProps {
  label: string
  value: string
  isLabelHidden?: boolean | undefined
  /** A block of text, such as a command, instead of one line. */
  isMultiline?: boolean | undefined
  description?: ReactNode
  onCopied?: (() => void) | undefined
}

/** Text to take along: read only, selected when it gets the focus, with **Copy**. */
export function CopyField({ label, value, isLabelHidden, isMultiline, description, onCopied }: CopyFieldProps) {
  const button = <CopyButton value={value} onCopied={onCopied} isSmall={isMultiline} />
  if (isMultiline) {
    return (
      <div className="copy-field copy-block">
        <TextArea
          label={label}
          isLabelHidden={isLabelHidden}
          description={description}
          value={value}
          isReadOnly
          rows={Math.min(value.split('\n').length, 16)}
          spellCheck="false"
        />
        {button}
      </div>
    )
  }
  return (
    <div className="copy-field copy-line">
      <TextField
        label={label}
        isLabelHidden={isLabelHidden}
        description={description}
        value={value}
        isReadOnly
        onFocus={({ target }) => (target as HTMLInputElement).select()}
      />
      <CopyButton value={value} onCopied={onCopied} />
    </div>
  )
}

/** Turns into "Copied" for a moment, and says so aloud. */
export function CopyButton({
  value,
  onCopied,
  isSmall,
  children = 'Copy',
}: {
  value: string
  onCopied?: (() => void) | undefined
  isSmall?: boolean | undefined
  children?: ReactNode
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 4000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    announce('Copied')
    onCopied?.()
  }
  return (
    <Button isSmall={isSmall} icon={isCopied ? <IconCheck /> : <IconCopy />} onPress={() => void copy()}>
      {isCopied ? 'Copied' : children}
    </Button>
  )
}
