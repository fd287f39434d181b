import './states.css'
import {
  Label,
  ProgressBar as RacProgressBar,
  type ProgressBarProps as RacProgressBarProps,
} from 'react-aria-components'

export interface ProgressBarProps extends Omit<RacProgressBarProps, 'className' | 'style' | 'children'> {
  label: string
  isLabelHidden?: boolean | undefined
}

/** `value` of `maxValue`; `isIndeterminate` where nobody knows. */
export function ProgressBar({ label, isLabelHidden, ...rest }: ProgressBarProps) {
  return (
    <RacProgressBar {...rest} className="progress">
      {({ percentage, valueText, isIndeterminate }) => (
        <>
          <span className={isLabelHidden ? 'visually-hidden' : 'progress-head'}>
            <Label>{label}</Label>
            {isIndeterminate ? null : <span className="tabular">{valueText}</span>}
          </span>
          <span className="progress-track">
            <span
              className={isIndeterminate ? 'progress-bar progress-unknown' : 'progress-bar'}
              style={isIndeterminate ? {} : { width: `${percentage}%` }}
            />
          </span>
        </>
      )}
    </RacProgressBar>
  )
}
