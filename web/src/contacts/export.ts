/** Contacts as a CSV file, written by the server. */
import type { ContactFilter } from '@server/contacts/filter-schema.ts'
import { query } from '../api/client.ts'

/** Streamed by the server to the disk: nothing of it is held by the page. */
export function exportMatching(filter: ContactFilter, columns: readonly string[] | 'all'): void {
  const names = columns === 'all' ? 'all' : columns.join(',')
  const isAll = Object.keys(filter).length === 0
  saveAs(`/ui/contacts/export${query({ filter: isAll ? undefined : filter, columns: names })}`)
}

/** As `exportMatching`, for a file that the page has been given. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  saveAs(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function saveAs(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
