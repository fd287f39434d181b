/** The settings, read once and checked: the rest of the program receives the part of `Config` that it needs. */

import { join } from 'node:path'
import { ownBaseUrl } from './settings/own-address.ts'
import { faultsOfNames, find, type Source, settingEntries } from './settings/setting-sources.ts'
import type { LogLevel, SettingName, Values } from './settings/settings.ts'
import { withoutPassword } from './text/secret-text.ts'

export interface Config {
  http: {
    host: string
    port: number
    /** Without a slash at the end; null when it is to be made of scheme, host and the port really bound. */
    baseUrl: string | null
    tls: { certFile: string; keyFile: string } | null
    allowsInsecure: boolean
    /** Addresses and networks in CIDR form. */
    trustedProxies: string[]
    keepAliveMs: number
    connectionsMax: number
    connectionsPerAddressMax: number
    badTokensPerMinute: number
  }
  /** Where health and metrics are served; null for the main port, metrics then to loopback peers alone. */
  metrics: { host: string; port: number } | null
  store:
    | { engine: 'postgres'; url: string; readUrl: string | null; connectionsMax: number }
    | { engine: 'sqlite'; folder: string }
  keyFile: string
  webhooks: {
    /** As written: `outgoing/address-guard.ts` parses them. */
    allow: string[]
    caFile: string | null
    concurrency: number
    concurrencyPerSubscription: number
    deliveryDays: number
  }
  imports: { uploadBytesMax: number }
  /** `overpass` is null where places are not asked for. */
  places: { overpass: { url: string; contact: string } | null }
  map: {
    background: { from: 'nowhere' } | { from: 'address'; url: string } | { from: 'file'; path: string }
    /** Which pages may load it from, beside its own. */
    origins: string[]
  }
  logLevel: LogLevel
  shutdownMs: number
}

export interface SettingSources {
  /** Else the process's environment. */
  env?: Record<string, string | undefined>
  /** By the names of the command's options, without dashes. */
  flags?: Record<string, string | undefined>
}

/** A setting as it is in effect. */
export interface EffectiveSetting {
  name: SettingName
  /** Null when not given and without a default; a secret's password is masked. */
  value: unknown
  source: Source
  /** The flag, variable or file that it comes from; null for a default. */
  from: string | null
}

/** Settings that cannot be used. Each of `faults` is a sentence; none of them holds a secret. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads all settings: a flag goes before a variable, an empty variable counts as not set.
 *
 * @returns the settings for the program, and each of them as it is in effect, in the order of the table
 * @throws ConfigError that lists every fault, unknown `KITH_` variables among them (`KITH_TEST_` ones are ignored)
 * @see contract §10, "Settings"
 */
export function readSettings(sources: SettingSources = {}): { config: Config; effective: EffectiveSetting[] } {
  const env = sources.env ?? process.env
  const flags = sources.flags ?? {}
  const faults = faultsOfNames(env)
  const found = new Map(settingEntries().map(([name, setting]) => [name, find(name, setting, { env, flags, faults })]))
  const values = Object.fromEntries(found.entries().map(([name, { value }]) => [name, value])) as unknown as Values
  faults.push(...faultsBetween(values, (name) => found.get(name)?.source !== 'default'))
  if (faults.length > 0) throw new ConfigError(faults)

  const config = configOf(values)
  const effective = settingEntries().map(([name, setting]) => {
    const { value, source, from } = found.get(name)!
    const shown = setting.isSecret && value ? withoutPassword(String(value)) : value
    return { name, value: shown ?? valueMade(name, config), source, from }
  })
  return { config, effective }
}

/** As `readSettings`, for those who need the settings alone. */
export function readConfig(sources: SettingSources = {}): Config {
  return readSettings(sources).config
}

/** What a setting that is not given amounts to by others. */
function valueMade(name: SettingName, { keyFile, http }: Config): string | null {
  if (name === 'KITH_KEY_FILE') return keyFile
  if (name === 'KITH_BASE_URL' && http.port !== 0) return ownBaseUrl(http, http.port)
  return null
}

function faultsBetween(values: Values, isGiven: (name: SettingName) => boolean): string[] {
  const pairs: [SettingName, SettingName][] = [
    ['KITH_TLS_CERT', 'KITH_TLS_KEY'],
    ['KITH_TLS_KEY', 'KITH_TLS_CERT'],
    ['KITH_METRICS_HOST', 'KITH_METRICS_PORT'],
    ['KITH_DATABASE_CONNECTIONS', 'KITH_DATABASE_URL'],
    ['KITH_DATABASE_READ_URL', 'KITH_DATABASE_URL'],
    ['KITH_MAP_HOSTS', 'KITH_MAP_STYLE'],
    ['KITH_PLACES_OVERPASS', 'KITH_PLACES_CONTACT'],
    ['KITH_PLACES_CONTACT', 'KITH_PLACES_OVERPASS'],
  ]
  const faults = pairs
    .filter(([name, needed]) => isGiven(name) && !isGiven(needed))
    .map(([name, needed]) => `${name} has no effect without ${needed}.`)
  const { KITH_PORT: port, KITH_METRICS_PORT: metricsPort } = values
  if (port && port === metricsPort && values.KITH_HOST === values.KITH_METRICS_HOST) {
    faults.push(`KITH_METRICS_PORT must be another port than KITH_PORT on ${values.KITH_HOST}.`)
  }
  return faults
}

function configOf(values: Values): Config {
  const { KITH_TLS_CERT: certFile, KITH_TLS_KEY: keyFile, KITH_METRICS_PORT: metricsPort } = values
  const folder = values.KITH_DATA
  const url = values.KITH_DATABASE_URL
  const { KITH_PLACES_OVERPASS: overpassUrl, KITH_PLACES_CONTACT: contact } = values
  return {
    http: {
      host: values.KITH_HOST,
      port: values.KITH_PORT,
      baseUrl: values.KITH_BASE_URL ?? null,
      tls: certFile && keyFile ? { certFile, keyFile } : null,
      allowsInsecure: values.KITH_INSECURE_HTTP,
      trustedProxies: values.KITH_TRUST_PROXY,
      keepAliveMs: values.KITH_KEEP_ALIVE_S * 1000,
      connectionsMax: values.KITH_CONNECTIONS_MAX,
      connectionsPerAddressMax: values.KITH_CONNECTIONS_PER_ADDRESS_MAX,
      badTokensPerMinute: values.KITH_BAD_TOKENS_PER_MINUTE,
    },
    metrics: metricsPort === undefined ? null : { host: values.KITH_METRICS_HOST, port: metricsPort },
    store: url
      ? {
          engine: 'postgres',
          url,
          readUrl: values.KITH_DATABASE_READ_URL ?? null,
          connectionsMax: values.KITH_DATABASE_CONNECTIONS,
        }
      : { engine: 'sqlite', folder },
    keyFile: values.KITH_KEY_FILE ?? join(folder, 'kith.key'),
    webhooks: {
      allow: values.KITH_WEBHOOK_ALLOW,
      caFile: values.KITH_WEBHOOK_CA ?? null,
      concurrency: values.KITH_WEBHOOK_CONCURRENCY,
      concurrencyPerSubscription: values.KITH_WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION,
      deliveryDays: values.KITH_DELIVERY_DAYS,
    },
    imports: { uploadBytesMax: values.KITH_UPLOAD_BYTES_MAX },
    places: { overpass: overpassUrl && contact ? { url: overpassUrl, contact } : null },
    map: { background: backgroundOf(values.KITH_MAP_STYLE), origins: values.KITH_MAP_HOSTS },
    logLevel: values.KITH_LOG_LEVEL,
    shutdownMs: values.KITH_SHUTDOWN_S * 1000,
  }
}

function backgroundOf(style: string | undefined): Config['map']['background'] {
  if (style === undefined) return { from: 'nowhere' }
  return /^https?:/.test(style) ? { from: 'address', url: style } : { from: 'file', path: style }
}
