/** The files of deploy/, as tests read them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SETTINGS, type Setting } from '../../server/src/settings/settings.ts'

export const ROOT = join(import.meta.dirname, '../..')

/** Of every file in deploy/, from there. */
export const DEPLOY_FILES = globSync('*', { cwd: join(ROOT, 'deploy') }).sort()

export function readDeployFile(name: string): string {
  return readFileSync(join(ROOT, 'deploy', name), 'utf8')
}

/** Every name that a setting may be given under. */
export const SETTING_NAMES = Object.entries<Setting>(SETTINGS).flatMap(([name, { isSecret }]) =>
  isSecret ? [name, `${name}_FILE`] : [name],
)

/** Seconds that a server takes at most to end, unless it is told otherwise. */
export const SHUTDOWN_S = Number(SETTINGS.KITH_SHUTDOWN_S.fallback)

/** @returns seconds, of `30s` */
export function seconds(text: string): number {
  const [, number] = /^(\d+)s$/.exec(text) ?? []
  if (number === undefined) throw new Error(`${text} is no number of seconds.`)
  return Number(number)
}
