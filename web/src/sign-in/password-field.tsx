import { PASSWORD_LENGTH_MIN } from '@server/members/schema.ts'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { TextField, type TextFieldProps } from '../ui/text-field.tsx'
import { strengthWords } from './password-strength.ts'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'suffix' | 'autoComplete'> {
  /** A password manager offers the one that it knows, or a new one. */
  kind: 'current' | 'new'
}

/** A password, which can be shown. A new one is told how strong it is. */
export function PasswordField({ kind, ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  const isNew = kind === 'new'
  return (
    <TextField
      {...rest}
      {...(isNew
        ? { description: <span aria-live="polite">{strengthWords(rest.value ?? '', PASSWORD_LENGTH_MIN)}</span> }
        : {})}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      spellCheck="false"
      suffix={
        <IconButton
          isSmall
          label={isShown ? 'Hide password' : 'Show password'}
          onPress={() => setShown((before) => !before)}
        >
          {isShown ? <IconEyeOff /> : <IconEye />}
        </IconButton>
      }
    />
  )
}
