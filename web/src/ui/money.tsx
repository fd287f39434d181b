import { useCurrency } from '../app/session.ts'
import { money, shortMoney } from './format.ts'

export interface MoneyProps {
  value: number | null | undefined
  /** "€48K". */
  isShort?: boolean | undefined
}

/** An amount in the currency of the org; nothing where there is none. */
export function Money({ value, isShort }: MoneyProps) {
  const currency = useCurrency()
  if (value === null || value === undefined) return null
  return <span className="tabular">{(isShort ? shortMoney : money)(value, currency)}</span>
}
