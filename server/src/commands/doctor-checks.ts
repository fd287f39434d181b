/** What `kith doctor` looks at. Each check gives one finding at least, and none changes anything. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { now, toIso } from '../clock.ts'
import { type Config, ConfigError, type EffectiveSetting } from '../config.ts'
import { type Inspection, inspectDatabase, inspectReplica } from '../database/inspection.ts'
import { SCHEMA_VERSION } from '../database/migrate.ts'
import { plainHttpFault } from '../settings/own-address.ts'
import { loadMapBackground } from '../web/map-background.ts'
import { keyFingerprint } from '../webhooks/secret-box.ts'
import { guardOf } from './webhook-settings.ts'

export interface Finding {
  check: string
  status: 'ok' | 'warn' | 'bad'
  message: string
}

const FREE_BYTES_WARN = 2 ** 30
const FREE_BYTES_BAD = 100 * 2 ** 20
const CERTIFICATE_DAYS_WARN = 14
const DAY_MS = 24 * 3_600_000
const CLOCK_AHEAD_MS_WARN = 1_000
const YEAR_MIN = 2026
const YEAR_MAX = 2100

/** @param read reads the settings, or throws ConfigError */
export async function findings(read: () => { config: Config; effective: EffectiveSetting[] }): Promise<Finding[]> {
  try {
    const { config, effective } = read()
    const given = effective.filter(({ source }) => source !== 'default').length
    const settings = ok('settings', `${given} given, ${effective.length - given} by default.`)
    const database = [...(await databaseFindings(config)), ...(await replicaFindings(config))]
    return [settings, ...addressFindings(config), ...fileFindings(config), ...database]
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    return err.faults.map((fault) => bad('settings', fault))
  }
}

function addressFindings(config: Config): Finding[] {
  const { http, webhooks } = config
  guardOf(config)
  const fault = plainHttpFault(http)
  const found: Finding[] = []
  if (fault) found.push(bad('address', fault))
  else if (http.tls) found.push(certificateFinding(http.tls))
  else if (http.allowsInsecure) found.push(warn('address', 'KITH_INSECURE_HTTP=1: others on the way can read tokens.'))
  else found.push(ok('address', `Plain HTTP on ${http.host}, for a proxy that speaks TLS or for this machine alone.`))
  if (webhooks.caFile !== null && !existsSync(webhooks.caFile)) {
    found.push(bad('webhooks', `KITH_WEBHOOK_CA names ${webhooks.caFile}, which is not there.`))
  }
  try {
    loadMapBackground(config.map)
  } catch (err) {
    found.push(bad('map', `${messageOf(err)}.`))
  }
  return found
}

function certificateFinding({ certFile, keyFile }: { certFile: string; keyFile: string }): Finding {
  try {
    const certificate = new X509Certificate(readFileSync(certFile))
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(keyFile)))) {
      return bad('certificate', `The key in ${keyFile} is not the one of the certificate in ${certFile}.`)
    }
    const daysLeft = Math.floor((certificate.validToDate.getTime() - now()) / DAY_MS)
    if (daysLeft < 0) return bad('certificate', `The certificate in ${certFile} ended ${-daysLeft} days ago.`)
    const message = `The certificate in ${certFile} is valid for ${daysLeft} more days.`
    return daysLeft < CERTIFICATE_DAYS_WARN ? warn('certificate', `${message} Renew it.`) : ok('certificate', message)
  } catch (err) {
    return bad('certificate', `The certificate or its key cannot be read: ${messageOf(err)}.`)
  }
}

function fileFindings({ store, keyFile }: Config): Finding[] {
  const folder = store.engine === 'sqlite' ? store.folder : dirname(keyFile)
  if (!existsSync(folder)) {
    return [warn('files', `${folder} does not exist yet; it is made when it is needed.`)]
  }
  const names = ['kith.db', 'kith.db-wal', 'kith.db-shm', 'kith.commits', 'kith.lock']
  const paths = [...names.map((name) => join(folder, name)), keyFile].filter((path) => existsSync(path))
  const isOpen = (path: string) => (statSync(path).mode & 0o077) !== 0
  const open = paths.filter(isOpen)
  const found: Finding[] = []
  if (isOpen(folder)) found.push(warn('files', `Other users may look into ${folder}: chmod 700 ${folder}`))
  if (open.length > 0) {
    const which = open.map((path) => basename(path)).join(', ')
    found.push(warn('files', `Other users may read ${which}: chmod 600 ${open.join(' ')}`))
  }
  if (found.length === 0) found.push(ok('files', `${folder} and what is in it are their owner's alone.`))
  return [...found, diskFinding(folder)]
}

function diskFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const message = `${(free / 2 ** 30).toFixed(1)} GiB are free for ${folder}.`
  if (free < FREE_BYTES_BAD) return bad('disk', `${message} Make room: writes fail when it is full.`)
  return free < FREE_BYTES_WARN ? warn('disk', `${message} Make room soon.`) : ok('disk', message)
}

async function replicaFindings({ store }: Config): Promise<Finding[]> {
  if (store.engine === 'sqlite' || store.readUrl === null) return []
  try {
    const { server, behindMs } = await inspectReplica(store.readUrl)
    // Where no server runs nothing may have been written for long.
    return [ok('replica', `${server} has what was written until ${(behindMs / 1000).toFixed(1)} s ago.`)]
  } catch (err) {
    return [warn('replica', `It cannot be reached: ${messageOf(err)}. Lists are read from the primary meanwhile.`)]
  }
}

async function databaseFindings({ store, keyFile }: Config): Promise<Finding[]> {
  let found: Inspection | undefined
  try {
    found = await inspectDatabase(store)
  } catch (err) {
    return [bad('database', `It cannot be reached: ${messageOf(err)}.`), clockFinding(null)]
  }
  if (!found) {
    return [warn('database', 'There is none yet: "kith org create NAME" or "kith serve" makes it.'), clockFinding(null)]
  }
  return [...stateFindings(found), keyFinding(found.keyFingerprint, keyFile), clockFinding(found.clockAheadMs)]
}

function stateFindings({ schemaVersion: version, faults, about }: Inspection): Finding[] {
  if (faults.length > 0) return faults.map((fault) => bad('database', fault))
  const schema = `schema version ${version}`
  if (version > SCHEMA_VERSION) {
    return [
      bad('database', `${about}, ${schema}; this program knows versions up to ${SCHEMA_VERSION}: start a newer one.`),
    ]
  }
  if (version === 0) return [warn('database', `${about}, still without tables: the first command makes them.`)]
  if (version < SCHEMA_VERSION) {
    return [
      warn('database', `${about}, ${schema}: the next start brings it to ${SCHEMA_VERSION}. Make a backup first.`),
    ]
  }
  return [ok('database', `${about}, ${schema}, without a fault.`)]
}

function keyFinding(fingerprint: string | null, keyFile: string): Finding {
  if (!existsSync(keyFile)) {
    if (fingerprint === null) return ok('key', `None is needed yet; it will be made at ${keyFile}.`)
    return bad(
      'key',
      `${keyFile} is missing. Put back the key that belongs to this database, or name it with KITH_KEY_FILE.`,
    )
  }
  try {
    const text = readFileSync(keyFile, 'utf8').trim()
    if (!/^[0-9a-f]{64}$/.test(text)) return bad('key', `${keyFile} is not a key of Kith's.`)
    if (fingerprint === null) return ok('key', `${keyFile} is readable; the database has used none yet.`)
    if (keyFingerprint(Buffer.from(text, 'hex')) === fingerprint) return ok('key', `${keyFile} fits the database.`)
    return bad('key', `${keyFile} is not the key of this database (its fingerprint is ${fingerprint}).`)
  } catch (err) {
    return bad('key', `${keyFile} cannot be read: ${messageOf(err)}.`)
  }
}

function clockFinding(aheadMs: number | null): Finding {
  const year = new Date(now()).getUTCFullYear()
  if (year < YEAR_MIN || year > YEAR_MAX) return bad('clock', `It says ${toIso(now())}. Set the machine's clock.`)
  if (aheadMs !== null && Math.abs(aheadMs) > CLOCK_AHEAD_MS_WARN) {
    const side = aheadMs > 0 ? 'behind' : 'ahead of'
    return warn('clock', `It is ${Math.abs(aheadMs) / 1000} s ${side} the database's. Let both keep time by NTP.`)
  }
  return ok('clock', `It says ${toIso(now())}${aheadMs === null ? '' : ', as the database does'}.`)
}

function messageOf(err: unknown): string {
  const { message, code } = err as NodeJS.ErrnoException
  return (message || code || String(err)).replace(/\.$/, '')
}

const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })
const warn = (check: string, message: string): Finding => ({ check, status: 'warn', message })
const bad = (check: string, message: string): Finding => ({ check, status: 'bad', message })
