/** A request of the API, written as the command that a person can run. */

export interface ApiCall {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Under `/api/v1`: `/contacts?limit=50`. */
  path: string
  body?: unknown
}

/**
 * The call as a `curl` command for a POSIX shell. The token stays in the variable KITH_TOKEN.
 *
 * @param apiUrl with `/api/v1`, without a slash at its end
 */
export function curlOf({ method, path, body }: ApiCall, apiUrl: string): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(apiUrl + path)}`]
  lines.push('-H "Authorization: Bearer $KITH_TOKEN"')
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'")
    lines.push(`-d ${quoted(JSON.stringify(body, null, 2))}`)
  }
  return lines.join(' \\\n  ')
}

/** Inside single quotes a shell reads everything as it stands, but for the quote itself. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
