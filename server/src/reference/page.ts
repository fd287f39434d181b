/** The page of the reference and all that it loads: nothing of it comes from elsewhere. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path/posix'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface PageFile {
  type: string
  bytes: Uint8Array
  gzipped: Uint8Array
}

export interface Page {
  html: string
  /** By names that change with the content, so that they can be kept for ever. */
  files: Map<string, PageFile>
}

const SWAGGER_UI = new URL('./static/', import.meta.resolve('@fastify/swagger-ui/package.json'))

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/**
 * Reads the page's files.
 *
 * @param path under which they are served, without a slash at the end
 */
export async function loadPage(path: string): Promise<Page> {
  const [uiStyle, style, ui, start] = await Promise.all([
    load(new URL('swagger-ui.css', SWAGGER_UI), STYLE),
    load(new URL('./page/page.css', import.meta.url), STYLE),
    load(new URL('swagger-ui-bundle.js', SWAGGER_UI), SCRIPT),
    load(new URL('./page/start.js', import.meta.url), SCRIPT),
  ])
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kith API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${path}/${uiStyle.name}">
<link rel="stylesheet" href="${path}/${style.name}">
</head>
<body>
<main id="reference"></main>
<noscript><p>This page needs JavaScript. The same as an OpenAPI document: <a href="/openapi.json">/openapi.json</a></p></noscript>
<script src="${path}/${ui.name}"></script>
<script src="${path}/${start.name}"></script>
</body>
</html>
`
  return { html, files: new Map([uiStyle, style, ui, start].map(({ name, file }) => [name, file])) }
}

const compress = promisify(gzip)

async function load(url: URL, type: string): Promise<{ name: string; file: PageFile }> {
  const bytes = await readFile(url)
  const name = `${hash('sha256', bytes).slice(0, 12)}-${basename(url.pathname)}`
  return { name, file: { type, bytes, gzipped: await compress(bytes) } }
}
