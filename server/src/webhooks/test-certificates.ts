/** Certificates for tests, made as they are needed: none in the repository can expire or be mistaken for a real one. */

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface Certificate {
  /** PEM. */
  cert: string
  /** PEM. */
  key: string
  /** DER. */
  subject: Buffer
}

interface CertificateOptions {
  /** Host names and IPv4 addresses; the first one is the subject. */
  names: string[]
  /** Who signs it; itself without one. */
  issuer?: Certificate
  isAuthority?: boolean
  notBefore?: Date
  notAfter?: Date
}

const DAY_MS = 86_400_000

/** Makes a certificate with a key of its own (P-256), valid from yesterday to tomorrow unless said otherwise. */
export function makeCertificate(options: CertificateOptions): Certificate {
  const { names, issuer, isAuthority = false } = options
  const { notBefore = new Date(Date.now() - DAY_MS), notAfter = new Date(Date.now() + DAY_MS) } = options
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = name(names[0]!)
  const ecdsaSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2))
  const body = sequence(
    tagged(0xa0, integer(Uint8Array.of(2))),
    integer(Uint8Array.of(1, ...randomBytes(8))),
    ecdsaSha256,
    issuer?.subject ?? subject,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeNames(names), basicConstraints(isAuthority))),
  )
  const signature = sign('sha256', body, issuer ? issuer.key : privateKey)
  return {
    cert: pem(sequence(body, ecdsaSha256, bitString(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    subject,
  }
}

function name(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(0x55, 4, 3), tagged(0x0c, Buffer.from(commonName)))))
}

function alternativeNames(names: string[]): Buffer {
  const entries = names.map((entry) =>
    isIP(entry) === 4 ? tagged(0x87, Uint8Array.from(entry.split('.').map(Number))) : tagged(0x82, Buffer.from(entry)),
  )
  return sequence(oid(0x55, 0x1d, 0x11), tagged(0x04, sequence(...entries)))
}

function basicConstraints(isAuthority: boolean): Buffer {
  const constraints = isAuthority ? sequence(tagged(0x01, Uint8Array.of(0xff))) : sequence()
  return sequence(oid(0x55, 0x1d, 0x13), tagged(0x01, Uint8Array.of(0xff)), tagged(0x04, constraints))
}

/** UTCTime, for the years 1950 to 2049. */
function time(date: Date): Buffer {
  return tagged(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))
}

function integer(bytes: Uint8Array): Buffer {
  return tagged(0x02, bytes)
}

function bitString(bytes: Uint8Array): Buffer {
  return tagged(0x03, Buffer.concat([Uint8Array.of(0), bytes]))
}

function oid(...bytes: number[]): Buffer {
  return tagged(0x06, Uint8Array.from(bytes))
}

function sequence(...parts: Uint8Array[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

/** One DER value: tag, length, content. */
function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.from(head), content])
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
