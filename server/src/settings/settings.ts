/** Every setting: name, kind, default and meaning. */

import * as kind from './value-kinds.ts'

export interface Setting<T = unknown> {
  kind: kind.Kind<T>
  meaning: string
  /** What is read when the setting is not given. */
  fallback?: string
  /** Without a fallback: what then holds, for people. */
  otherwise?: string
  /** The option of the command that goes before the variable. */
  flag?: string
  /** Shown masked, refused as a flag where it holds a password, and also read from the file that `NAME_FILE` names. */
  isSecret?: true
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export const SETTINGS = {
  KITH_HOST: {
    kind: kind.host,
    fallback: '127.0.0.1',
    flag: 'host',
    meaning: 'Address to listen on.',
  },
  KITH_PORT: {
    kind: kind.wholeNumber({ min: 0, max: 65_535 }),
    fallback: '8080',
    flag: 'port',
    meaning: 'Port to listen on; 0 takes any free one.',
  },
  KITH_BASE_URL: {
    kind: kind.webOrigin,
    otherwise: 'made of scheme, host and port',
    meaning: 'Address under which people and programs reach this server; links are built from it.',
  },
  KITH_DATA: {
    kind: kind.path('DIR'),
    fallback: './data',
    flag: 'data',
    meaning: 'Folder of the database and the key; with KITH_DATABASE_URL, of the key alone.',
  },
  KITH_DATABASE_URL: {
    kind: kind.postgresUrl,
    otherwise: 'SQLite in the data folder',
    flag: 'database-url',
    isSecret: true,
    meaning: 'PostgreSQL database to use in place of SQLite; may name several servers.',
  },
  KITH_DATABASE_READ_URL: {
    kind: kind.postgresUrl,
    otherwise: 'none',
    isSecret: true,
    meaning: 'Standbys of that database, for lists of the API that may be some seconds old.',
  },
  KITH_DATABASE_CONNECTIONS: {
    kind: kind.wholeNumber({ min: 2, max: 1000 }),
    fallback: '10',
    meaning: 'Connections to PostgreSQL that this process may hold.',
  },
  KITH_KEY_FILE: {
    kind: kind.path('FILE'),
    otherwise: 'kith.key in the data folder',
    meaning: 'File with the key that encrypts signing secrets.',
  },
  KITH_TLS_CERT: {
    kind: kind.path('FILE'),
    otherwise: 'no TLS',
    meaning: 'Certificate chain (PEM) to serve HTTPS with; needs KITH_TLS_KEY.',
  },
  KITH_TLS_KEY: {
    kind: kind.path('FILE'),
    otherwise: 'no TLS',
    meaning: 'Private key (PEM) of KITH_TLS_CERT.',
  },
  KITH_INSECURE_HTTP: {
    kind: kind.oneOrZero,
    fallback: '0',
    meaning: 'With 1, plain HTTP is served on other addresses than loopback too.',
  },
  KITH_TRUST_PROXY: {
    kind: kind.listOf(kind.network),
    fallback: '',
    otherwise: 'none',
    meaning: 'Networks of the proxies whose X-Forwarded headers count.',
  },
  KITH_KEEP_ALIVE_S: {
    kind: kind.wholeNumber({ min: 1, max: 3600 }),
    fallback: '5',
    meaning: 'Seconds that an idle connection is kept; must outlast those of a proxy in front.',
  },
  KITH_CONNECTIONS_MAX: {
    kind: kind.wholeNumber({ min: 1, max: 1_000_000 }),
    fallback: '10000',
    meaning: 'Connections at once, in all.',
  },
  KITH_CONNECTIONS_PER_ADDRESS_MAX: {
    kind: kind.wholeNumber({ min: 1, max: 1_000_000 }),
    fallback: '1000',
    meaning: 'Connections at once from one address.',
  },
  KITH_BAD_TOKENS_PER_MINUTE: {
    kind: kind.wholeNumber({ min: 1, max: 1_000_000 }),
    fallback: '600',
    meaning: 'Tokens of no key that one address may send in a minute before it is answered 429.',
  },
  KITH_UPLOAD_BYTES_MAX: {
    kind: kind.wholeNumber({ min: 1024, max: 2 ** 31 }),
    fallback: '268435456',
    meaning: 'Bytes that a file may have which is uploaded to be imported.',
  },
  KITH_MAP_STYLE: {
    kind: kind.mapStyle,
    otherwise: 'the built-in world',
    meaning: 'Background of the map: the address of a style, or a .json or .pmtiles file that Kith serves itself.',
  },
  KITH_MAP_HOSTS: {
    kind: kind.listOf(kind.webOrigin),
    fallback: '',
    otherwise: 'none',
    meaning: 'Other web addresses that the style of KITH_MAP_STYLE loads tiles, sprites and glyphs from.',
  },
  KITH_SHUTDOWN_S: {
    kind: kind.wholeNumber({ min: 1, max: 600 }),
    fallback: '10',
    meaning: 'Seconds that requests and deliveries in flight are given to end when the server is stopped.',
  },
  KITH_METRICS_HOST: {
    kind: kind.host,
    fallback: '127.0.0.1',
    meaning: 'Address of health and metrics; needs KITH_METRICS_PORT.',
  },
  KITH_METRICS_PORT: {
    kind: kind.wholeNumber({ min: 0, max: 65_535 }),
    otherwise: 'the main port, metrics to loopback alone',
    meaning: 'Port of its own for health and metrics; metrics are then served there only.',
  },
  KITH_WEBHOOK_ALLOW: {
    kind: kind.listOf(kind.text('HOST|NETWORK')),
    fallback: '',
    otherwise: 'none',
    meaning: 'Hosts and networks that webhooks may reach although they are not public, by http: too.',
  },
  KITH_WEBHOOK_CA: {
    kind: kind.path('FILE'),
    otherwise: 'the public ones alone',
    meaning: 'Certificate authorities (PEM) to trust when sending webhooks, beside the public ones.',
  },
  KITH_WEBHOOK_CONCURRENCY: {
    kind: kind.wholeNumber({ min: 1, max: 10_000 }),
    fallback: '256',
    meaning:
      'Deliveries under way at once, in all. Those that have waited half a second count no more, up to four times as many.',
  },
  KITH_WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION: {
    kind: kind.wholeNumber({ min: 1, max: 1000 }),
    fallback: '16',
    meaning: 'Deliveries under way at once for one subscription.',
  },
  KITH_DELIVERY_DAYS: {
    kind: kind.wholeNumber({ min: 1, max: 3650 }),
    fallback: '30',
    meaning: 'Days that finished deliveries are kept.',
  },
  KITH_PLACES_OVERPASS: {
    kind: kind.webAddress,
    otherwise: 'none',
    meaning: 'Overpass server to ask for places, by its interpreter; needs KITH_PLACES_CONTACT.',
  },
  KITH_PLACES_CONTACT: {
    kind: kind.contactAddress,
    otherwise: 'none',
    meaning: 'How the operators of that server reach you: sent to it with every question.',
  },
  KITH_LOG_LEVEL: {
    kind: kind.oneOf(LOG_LEVELS),
    fallback: 'info',
    meaning: 'Least important lines that the server logs.',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

type Value<S> = S extends { kind: kind.Kind<infer T> } ? (S extends { fallback: string } ? T : T | undefined) : never
/** What the settings are once read. */
export type Values = { [Name in SettingName]: Value<(typeof SETTINGS)[Name]> }
