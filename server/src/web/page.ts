/** The one page of the web app, in which all its screens are drawn. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const WEB_FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** What the build leaves in the page where the nonce of each answer goes. */
const NONCE_PLACE = '__NONCE__'
const NONCE_BYTES = 16

export interface Page {
  html: string
  csp: string
}

/**
 * The page with a nonce of its own, read anew so that a build while the server runs counts at once.
 *
 * @param folder what the build has written
 * @param mapOrigins other origins that the map is loaded from
 * @returns undefined when there is nothing
 */
export async function appPage(folder: string, mapOrigins: readonly string[]): Promise<Page | undefined> {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  try {
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    return { html: html.replaceAll(NONCE_PLACE, nonce), csp: pageCsp({ nonce, mapOrigins }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export interface PolicyParts {
  /** Of the answer: with it, parts of the page may add style sheets of their own. */
  nonce?: string
  /** Other origins that the map is loaded from. */
  mapOrigins: readonly string[]
}

/**
 * What pages, and the workers that they start, may load: nothing but our own, and the map that the operator has chosen.
 *
 * @see security H7
 */
export function pageCsp({ nonce, mapOrigins }: PolicyParts): string {
  const map = mapOrigins.map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    `img-src 'self' data: blob:${map}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    `connect-src 'self'${map}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Stands in for the page where nobody has built it. */
export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kith</title>
</head>
<body>
<main>
<h1>The web app has not been built</h1>
<p>Run <code>npm run build --workspace web</code> in the folder of Kith, then load this page again.</p>
<p>The API works without it: see <a href="/docs">its reference</a>.</p>
</main>
</body>
</html>
`
