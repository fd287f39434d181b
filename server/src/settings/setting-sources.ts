/** Where the text of a setting comes from: a flag, a variable, a file, or the default. */

import { readFileSync } from 'node:fs'
import { nearestName } from '../text/nearest-name.ts'
import { holdsPassword } from '../text/secret-text.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

export type Source = 'default' | 'variable' | 'flag' | 'file'

/** A setting's value (undefined when it has none) and the flag, variable or file it is from (null for the default). */
export interface Found {
  value: unknown
  source: Source
  from: string | null
}

/** The table, typed as what its entries have in common. */
export function settingEntries(): [SettingName, Setting][] {
  return Object.entries(SETTINGS) as [SettingName, Setting][]
}

/** One sentence for each `KITH_` variable that is no setting. */
export function faultsOfNames(env: Record<string, string | undefined>): string[] {
  const known = settingEntries().flatMap(([name, setting]) => (setting.isSecret ? [name, `${name}_FILE`] : [name]))
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('KITH_') && !name.startsWith('KITH_TEST_') && !known.includes(name),
  )
  const faults = unknown
    .filter((name) => !SERVICE_LINK.test(name))
    .map((name) => {
      const nearest = nearestName(name, known)
      return `There is no setting ${name}.${nearest ? ` Did you mean ${nearest}?` : ' "kith config" lists them all.'}`
    })
  const serviceLink = unknown.find((name) => SERVICE_LINK.test(name))
  if (serviceLink) {
    faults.push(
      `${serviceLink} is no setting: Kubernetes sets such variables for a Service named "kith". ` +
        'Set enableServiceLinks: false for the pod, or name the Service otherwise.',
    )
  }
  return faults
}

/** What Kubernetes adds for a Service named "kith", beside a `KITH_PORT` that holds an address. */
const SERVICE_LINK = /^KITH_(SERVICE_(HOST|PORT)|PORT_[0-9]+_)/

interface Search {
  env: Record<string, string | undefined>
  flags: Record<string, string | undefined>
  faults: string[]
}

/**
 * Looks for a setting: in its flag, its variable, the file that `NAME_FILE` names, its default, in this order.
 * What is wrong is added to `faults`, and the value is then undefined or not to be used.
 */
export function find(name: SettingName, setting: Setting, search: Search): Found {
  const given = givenText(name, setting, search)
  const source = given?.source ?? 'default'
  const from = given?.from ?? null
  const text = given?.text ?? setting.fallback
  if (text === undefined) return { value: undefined, source, from }

  const value = setting.kind.parse(text)
  if (value === undefined) {
    const shown = setting.isSecret ? '' : `, not ${JSON.stringify(text.slice(0, 100))}`
    search.faults.push(`${from} must be ${setting.kind.expected}${shown}.`)
  } else if (setting.isSecret && source === 'flag' && holdsPassword(text)) {
    search.faults.push(
      `${from} may not hold a password, since everyone on this machine can read the arguments of a program: ` +
        `put the address into the variable ${name}, or into a file that ${name}_FILE names.`,
    )
  }
  return { value, source, from }
}

/** An empty variable counts as not set. */
function givenText(name: SettingName, setting: Setting, { env, flags, faults }: Search) {
  const flag = setting.flag === undefined ? undefined : flags[setting.flag]
  if (flag !== undefined) return { text: flag, source: 'flag' as const, from: `--${setting.flag}` }
  const variable = env[name] || undefined
  const file = (setting.isSecret && env[`${name}_FILE`]) || undefined
  if (variable && file) faults.push(`${name} and ${name}_FILE are both set: give one of them.`)
  if (variable) return { text: variable, source: 'variable' as const, from: name }
  if (!file) return undefined
  try {
    return { text: readFileSync(file, 'utf8').trim(), source: 'file' as const, from: file }
  } catch (err) {
    faults.push(`${name}_FILE names ${file}, which cannot be read (${(err as NodeJS.ErrnoException).code}).`)
    return undefined
  }
}
