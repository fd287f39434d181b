import type { HourOfAttempts } from '@server/webhooks/ui-schema.ts'
import { ColumnChart } from '../ui/chart.tsx'
import { clockTime, dateText } from '../ui/format.ts'

/** Delivered and failed per hour. */
export function AttemptsChart({
  title,
  hours,
  isSmall,
}: {
  title: string
  hours: HourOfAttempts[]
  isSmall?: boolean | undefined
}) {
  return (
    <ColumnChart
      title={title}
      labels={hours.map(({ at }) => `${dateText(at)}, ${clockTime(at)}`)}
      series={[
        { name: 'delivered', tone: 'ok', values: hours.map(({ delivered }) => delivered) },
        { name: 'failed', tone: 'danger', values: hours.map(({ failed }) => failed) },
      ]}
      isSmall={isSmall}
      height={isSmall ? 28 : 140}
    />
  )
}
