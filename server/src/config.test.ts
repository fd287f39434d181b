import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ConfigError, readConfig, readSettings, type SettingSources } from './config.ts'
import { SETTINGS, type Setting } from './settings/settings.ts'

test('without any setting the server listens on loopback and keeps its data in ./data', () => {
  assert.deepEqual(readConfig({ env: {} }), {
    http: {
      host: '127.0.0.1',
      port: 8080,
      baseUrl: null,
      tls: null,
      allowsInsecure: false,
      trustedProxies: [],
      keepAliveMs: 5000,
      connectionsMax: 10_000,
      connectionsPerAddressMax: 1000,
      badTokensPerMinute: 600,
    },
    metrics: null,
    store: { engine: 'sqlite', folder: resolve('data') },
    keyFile: resolve('data/kith.key'),
    webhooks: { allow: [], caFile: null, concurrency: 256, concurrencyPerSubscription: 16, deliveryDays: 30 },
    imports: { uploadBytesMax: 268_435_456 },
    places: { overpass: null },
    map: { background: { from: 'nowhere' }, origins: [] },
    logLevel: 'info',
    shutdownMs: 10_000,
  })
})

test('every setting has its place', () => {
  const env = {
    KITH_HOST: '::1',
    KITH_PORT: '9000',
    KITH_BASE_URL: 'https://crm.example.com/',
    KITH_DATA: '/srv/kith',
    KITH_DATABASE_URL: 'postgres://kith:pw@db1,db2:5433/kith',
    KITH_DATABASE_READ_URL: 'postgres://kith:pw@db2/kith',
    KITH_DATABASE_CONNECTIONS: '20',
    KITH_KEY_FILE: '/run/secrets/kith.key',
    KITH_TLS_CERT: '/cert.pem',
    KITH_TLS_KEY: '/key.pem',
    KITH_INSECURE_HTTP: '1',
    KITH_TRUST_PROXY: '10.0.0.0/8, ::1',
    KITH_KEEP_ALIVE_S: '75',
    KITH_CONNECTIONS_MAX: '500',
    KITH_CONNECTIONS_PER_ADDRESS_MAX: '50',
    KITH_BAD_TOKENS_PER_MINUTE: '60',
    KITH_UPLOAD_BYTES_MAX: '1048576',
    KITH_MAP_STYLE: '/srv/map/style.json',
    KITH_MAP_HOSTS: 'https://tiles.example.com, http://localhost:9000/',
    KITH_SHUTDOWN_S: '30',
    KITH_METRICS_HOST: '0.0.0.0',
    KITH_METRICS_PORT: '9100',
    KITH_WEBHOOK_ALLOW: 'hooks.internal,10.1.0.0/16',
    KITH_WEBHOOK_CA: '/ca.pem',
    KITH_WEBHOOK_CONCURRENCY: '64',
    KITH_WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION: '8',
    KITH_DELIVERY_DAYS: '7',
    KITH_PLACES_OVERPASS: 'https://overpass.example.com/api/interpreter',
    KITH_PLACES_CONTACT: 'ops@example.com',
    KITH_LOG_LEVEL: 'debug',
  }
  assert.deepEqual(Object.keys(env), Object.keys(SETTINGS))
  assert.deepEqual(readConfig({ env }), {
    http: {
      host: '::1',
      port: 9000,
      baseUrl: 'https://crm.example.com',
      tls: { certFile: '/cert.pem', keyFile: '/key.pem' },
      allowsInsecure: true,
      trustedProxies: ['10.0.0.0/8', '::1'],
      keepAliveMs: 75_000,
      connectionsMax: 500,
      connectionsPerAddressMax: 50,
      badTokensPerMinute: 60,
    },
    metrics: { host: '0.0.0.0', port: 9100 },
    store: {
      engine: 'postgres',
      url: 'postgres://kith:pw@db1,db2:5433/kith',
      readUrl: 'postgres://kith:pw@db2/kith',
      connectionsMax: 20,
    },
    keyFile: '/run/secrets/kith.key',
    webhooks: {
      allow: ['hooks.internal', '10.1.0.0/16'],
      caFile: '/ca.pem',
      concurrency: 64,
      concurrencyPerSubscription: 8,
      deliveryDays: 7,
    },
    imports: { uploadBytesMax: 1_048_576 },
    places: { overpass: { url: 'https://overpass.example.com/api/interpreter', contact: 'ops@example.com' } },
    map: {
      background: { from: 'file', path: '/srv/map/style.json' },
      origins: ['https://tiles.example.com', 'http://localhost:9000'],
    },
    logLevel: 'debug',
    shutdownMs: 30_000,
  })
})

test('a flag goes before a variable, and each setting tells where it comes from', () => {
  const env = { KITH_HOST: '::1', KITH_PORT: '9000' }
  const { effective } = readSettings({ env, flags: { port: '9001' } })
  assert.deepEqual(effective.slice(0, 4), [
    { name: 'KITH_HOST', value: '::1', source: 'variable', from: 'KITH_HOST' },
    { name: 'KITH_PORT', value: 9001, source: 'flag', from: '--port' },
    { name: 'KITH_BASE_URL', value: 'http://[::1]:9001', source: 'default', from: null },
    { name: 'KITH_DATA', value: resolve('data'), source: 'default', from: null },
  ])
  assert.deepEqual(
    effective.map(({ name }) => name),
    Object.keys(SETTINGS),
  )
})

test('an empty variable counts as not set, an empty flag as wrong', () => {
  assert.equal(readConfig({ env: { KITH_PORT: '', KITH_DATABASE_URL: '' } }).http.port, 8080)
  assert.deepEqual(faultsOf({ env: {}, flags: { port: '' } }), [
    '--port must be a whole number from 0 to 65535, not "".',
  ])
})

test('every fault is reported, not only the first', () => {
  const env = { KITH_PORT: '80a', KITH_LOG_LEVEL: 'loud', KITH_TLS_CERT: '/cert.pem', KITH_PROT: '1', PORT: 'x' }
  assert.deepEqual(faultsOf({ env }), [
    'There is no setting KITH_PROT. Did you mean KITH_PORT?',
    'KITH_PORT must be a whole number from 0 to 65535, not "80a".',
    'KITH_LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent, not "loud".',
    'KITH_TLS_CERT has no effect without KITH_TLS_KEY.',
  ])
})

test('a setting that would have no effect without another is a fault', () => {
  assert.deepEqual(faultsOf({ env: { KITH_TLS_KEY: '/key.pem' } }), [
    'KITH_TLS_KEY has no effect without KITH_TLS_CERT.',
  ])
  assert.deepEqual(faultsOf({ env: { KITH_METRICS_HOST: '::1', KITH_DATABASE_CONNECTIONS: '5' } }), [
    'KITH_METRICS_HOST has no effect without KITH_METRICS_PORT.',
    'KITH_DATABASE_CONNECTIONS has no effect without KITH_DATABASE_URL.',
  ])
  assert.deepEqual(faultsOf({ env: { KITH_MAP_HOSTS: 'https://tiles.example.com' } }), [
    'KITH_MAP_HOSTS has no effect without KITH_MAP_STYLE.',
  ])
  assert.deepEqual(faultsOf({ env: { KITH_METRICS_PORT: '8080' } }), [
    'KITH_METRICS_PORT must be another port than KITH_PORT on 127.0.0.1.',
  ])
})

test('the background of the map is an address or a file of a kind that can be shown', () => {
  const background = (style: string) => readConfig({ env: { KITH_MAP_STYLE: style } }).map.background
  assert.deepEqual(background('https://maps.example.com/calm?key=1'), {
    from: 'address',
    url: 'https://maps.example.com/calm?key=1',
  })
  assert.deepEqual(background('maps/Berlin.PMTiles'), { from: 'file', path: resolve('maps/Berlin.PMTiles') })
  for (const style of ['maps/berlin.mbtiles', 'https://user:pw@maps.example.com/', 'https://', 'ftp://a/b']) {
    const [fault, ...others] = faultsOf({ env: { KITH_MAP_STYLE: style } })
    assert.match(fault!, /^KITH_MAP_STYLE must be the web address of a style .* or \.pmtiles file, not "/, style)
    assert.deepEqual(others, [])
  }
})

test('an unknown KITH_ name is an error; names for tests and names of others are ignored', () => {
  assert.deepEqual(faultsOf({ env: { KITH_BOGUS_THING: '' } }), [
    'There is no setting KITH_BOGUS_THING. "kith config" lists them all.',
  ])
  readConfig({ env: { KITH_TEST_DATABASE_URL: 'x', MY_KITH_PORT: 'x', kith_port: 'x' } })
})

test('the variables that Kubernetes adds for a Service are one fault with its remedy', () => {
  const env = {
    KITH_SERVICE_HOST: '10.0.0.1',
    KITH_SERVICE_PORT: '80',
    KITH_PORT_80_TCP_ADDR: '10.0.0.1',
    KITH_PORT: 'tcp://10.0.0.1:80',
  }
  const faults = faultsOf({ env })
  assert.equal(faults.length, 2)
  assert.match(faults[0]!, /^KITH_SERVICE_HOST is no setting: .*enableServiceLinks: false/)
  assert.match(faults[1]!, /^KITH_PORT must be .*not "tcp:/)
})

test('a database URL that holds a password is refused as a flag and taken from a variable', () => {
  const url = 'postgres://kith:sentinel@db/kith'
  for (const given of [url, 'postgres://db/kith?password=sentinel']) {
    const [fault, ...others] = faultsOf({ env: {}, flags: { 'database-url': given } })
    assert.match(fault!, /^--database-url may not hold a password, .*KITH_DATABASE_URL_FILE/)
    assert.doesNotMatch(fault!, /sentinel/)
    assert.deepEqual(others, [])
  }
  const { config } = readSettings({ env: {}, flags: { 'database-url': 'postgres://kith@db/kith' } })
  const store = { engine: 'postgres', readUrl: null, connectionsMax: 10 }
  assert.deepEqual(config.store, { ...store, url: 'postgres://kith@db/kith' })
})

test('a secret is masked among the settings in effect, and never told in a fault', () => {
  const { effective } = readSettings({ env: { KITH_DATABASE_URL: 'postgres://kith:sentinel@db/kith' } })
  const shown = effective.find(({ name }) => name === 'KITH_DATABASE_URL')
  assert.equal(shown?.value, 'postgres://kith:***@db/kith')
  assert.deepEqual(faultsOf({ env: { KITH_DATABASE_URL: 'mysql://kith:sentinel@db/kith' } }), [
    'KITH_DATABASE_URL must be an address such as postgres://user@host:5432/database.',
  ])
})

test('a secret may come from a file that a variable names', (t) => {
  const file = fileWith(t, 'postgres://kith:sentinel@db/kith\n')
  const { config, effective } = readSettings({ env: { KITH_DATABASE_URL_FILE: file } })
  const store = { engine: 'postgres', readUrl: null, connectionsMax: 10 }
  assert.deepEqual(config.store, { ...store, url: 'postgres://kith:sentinel@db/kith' })
  assert.deepEqual(
    effective.find(({ name }) => name === 'KITH_DATABASE_URL'),
    { name: 'KITH_DATABASE_URL', value: 'postgres://kith:***@db/kith', source: 'file', from: file },
  )
})

test('a secret file that cannot be read, holds nothing, or stands beside the variable is a fault', (t) => {
  assert.deepEqual(faultsOf({ env: { KITH_DATABASE_URL_FILE: '/no/such/file' } }), [
    'KITH_DATABASE_URL_FILE names /no/such/file, which cannot be read (ENOENT).',
  ])
  const empty = fileWith(t, '\n')
  assert.match(faultsOf({ env: { KITH_DATABASE_URL_FILE: empty } })[0]!, /must be an address such as/)
  assert.deepEqual(faultsOf({ env: { KITH_DATABASE_URL_FILE: empty, KITH_DATABASE_URL: 'postgres://db/kith' } }), [
    'KITH_DATABASE_URL and KITH_DATABASE_URL_FILE are both set: give one of them.',
  ])
})

test('every default is a value of its kind, and what has none says what holds instead', () => {
  for (const [name, { kind, fallback, otherwise, meaning }] of Object.entries<Setting>(SETTINGS)) {
    if (fallback !== undefined) assert.notEqual(kind.parse(fallback), undefined, name)
    assert.ok(fallback || otherwise, name)
    assert.match(meaning, /^[A-Z].*\.$/, name)
  }
})

function faultsOf(sources: SettingSources): string[] {
  try {
    readConfig(sources)
  } catch (err) {
    assert.ok(err instanceof ConfigError)
    return err.faults
  }
  assert.fail('These settings were taken.')
}

function fileWith(t: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'url'), content)
  return join(folder, 'url')
}
