import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { readConfig } from '../../server/src/config.ts'
import { plainHttpFault } from '../../server/src/settings/own-address.ts'
import { environmentOf, readStages } from './dockerfile.ts'
import { ROOT, readDeployFile, SHUTDOWN_S, seconds } from './files.ts'

interface Service {
  image?: string
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  secrets?: (string | { source: string; target: string })[]
  networks: Record<string, { ipv4_address?: string }> | string[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
  read_only?: boolean
  stop_grace_period?: string
}

interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  volumes: Record<string, object | null>
  secrets: Record<string, { file: string }>
}

const compose = parseYaml(readDeployFile('compose.yaml')) as Compose
const { services } = compose
const nodes = [services.kith1!, services.kith2!]
const proxy = readDeployFile('haproxy.cfg')
const image = environmentOf(readStages().at(-1)!)

test('its services use networks, volumes, secrets and files that there are', () => {
  for (const [name, service] of Object.entries(services)) {
    const networks = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks)
    for (const network of networks) assert.ok(network in compose.networks, `${name}: ${network}`)
    for (const secret of service.secrets ?? []) {
      assert.ok((typeof secret === 'string' ? secret : secret.source) in compose.secrets, `${name}: ${secret}`)
    }
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':') as [string]
      const isThere = source.startsWith('.') ? existsSync(join(ROOT, 'deploy', source)) : source in compose.volumes
      assert.ok(isThere, `${name}: ${volume}`)
    }
    for (const needed of Object.keys(service.depends_on ?? {})) assert.ok(needed in services, `${name}: ${needed}`)
  }
})

test('it builds deploy/Dockerfile, and writes no password down', () => {
  for (const { build } of nodes) assert.deepEqual(build, { context: '..', dockerfile: 'deploy/Dockerfile' })
  for (const { file } of Object.values(compose.secrets)) assert.match(file, /^\.\/secrets\//)
  assert.doesNotMatch(readDeployFile('compose.yaml'), /:\/\/[^/\s]*:[^/\s]*@/)
})

test('no container can write to its own files', () => {
  for (const [name, { read_only }] of Object.entries(services)) assert.equal(read_only, true, name)
})

test('PostgreSQL is waited for, and Kith before the proxy opens', () => {
  assert.ok(services.postgres!.healthcheck)
  const isHealthy = { condition: 'service_healthy' }
  for (const { depends_on } of nodes) assert.deepEqual(depends_on, { postgres: isHealthy })
  assert.deepEqual(services.haproxy!.depends_on, { kith1: isHealthy, kith2: isHealthy })
})

test('the settings can be used, and fit the proxy', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-compose-'))
  t.after(() => rm(folder, { recursive: true }))
  const urlFile = join(folder, 'database-url')
  await writeFile(urlFile, 'postgres://kith:secret@postgres/kith\n')
  for (const { environment = {}, networks, stop_grace_period = '' } of nodes) {
    const { NODE_ENV: _, ...inImage } = image
    const secretFiles = [environment.KITH_DATABASE_URL_FILE, environment.KITH_KEY_FILE]
    assert.deepEqual(secretFiles, ['/run/secrets/database-url', '/run/secrets/kith-key'])
    const { http, store, metrics } = readConfig({
      env: { ...inImage, ...environment, KITH_DATABASE_URL_FILE: urlFile },
    })
    assert.equal(store.engine, 'postgres')
    assert.equal(plainHttpFault(http), undefined)
    assert.deepEqual(http.trustedProxies, [addressOf(services.haproxy!)])
    assert.equal(http.host, addressOf({ networks }))
    assert.equal(metrics?.host, http.host)
    assert.ok(http.keepAliveMs > 1000 * seconds(timeout('http-keep-alive')))
    assert.ok(http.connectionsPerAddressMax > Number(/ maxconn (\d+)\n {2}server/.exec(proxy)![1]))
    assert.ok(seconds(stop_grace_period) > SHUTDOWN_S)
  }
})

test('the proxy sends requests to these processes, and reads its certificate where the secret is put', () => {
  const servers = [...proxy.matchAll(/^ {2}server (\w+) (\S+)$/gm)].map(([, name, address]) => [name, address])
  assert.deepEqual(
    servers,
    ['kith1', 'kith2'].map((name) => [name, `${addressOf(services[name]!)}:${image.KITH_PORT}`]),
  )
  const [certificate] = services.haproxy!.secrets as { target: string }[]
  assert.ok(proxy.includes(` crt ${certificate!.target} `))
})

/** In the network that the proxy and the Kith processes share. */
function addressOf({ networks }: Pick<Service, 'networks'>): string {
  return (networks as Record<string, { ipv4_address?: string }>).inside!.ipv4_address!
}

function timeout(name: string): string {
  return new RegExp(`^ {2}timeout ${name} (\\S+)$`, 'm').exec(proxy)![1]!
}
