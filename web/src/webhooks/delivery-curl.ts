import { quoted } from '../ui/api-call.ts'

interface Request {
  url: string
  /** Names and values. */
  headers: readonly (readonly string[])[]
  /** Exactly what was signed. */
  body: string
}

/** The request of a delivery as a `curl` command for a POSIX shell: the same bytes with the same signature. */
export function deliveryCurl({ url, headers, body }: Request): string {
  const lines = [`curl -X POST ${quoted(url)}`]
  for (const [name, value] of headers) lines.push(`-H ${quoted(`${name}: ${value}`)}`)
  lines.push(`--data-binary ${quoted(body)}`)
  return lines.join(' \\\n  ')
}
