// Exits with 0 when the Kith of this container answers at all, where its settings say that it listens.
import http from 'node:http'
import https from 'node:https'

const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' }

const { KITH_HOST = '127.0.0.1', KITH_PORT: port = '8080', KITH_TLS_CERT } = process.env
const scheme = KITH_TLS_CERT ? https : http
// The certificate names the world's address for this server, not this one.
const options = {
  host: LOOPBACK[KITH_HOST] ?? KITH_HOST,
  port,
  path: '/healthz',
  timeout: 2_000,
  rejectUnauthorized: false,
}
const request = scheme.get(options, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
request.on('timeout', () => process.exit(1))
request.on('error', () => process.exit(1))
