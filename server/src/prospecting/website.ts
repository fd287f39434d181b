/**
 * A website as two of them are compared: host and path. The path counts, since many a business has a page of a large
 * site: of two below `facebook.com` only those with one path are the same. What stands behind a question mark counts
 * not: it tells where visitors came from.
 *
 * @returns undefined for what is no address of a website
 */
export function websiteKey(text: string | null): string | undefined {
  if (text === null) return undefined
  const trimmed = text.trim()
  const url = URL.parse(/^https?:/i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (!url?.hostname.includes('.')) return undefined
  const host = url.hostname.replace(/^(?:www|m)\./, '').replace(/\.$/, '')
  return host + url.pathname.replace(/\/+$/, '').toLowerCase()
}
