/** Faults of an input, as a form shows them: by field, in the field's own words. */
import type { Detail } from '@server/http/errors.ts'

export interface FieldFault {
  /** The name of the field, empty for the form as a whole. */
  field: string
  message: string
}

/**
 * The first fault of each field, in the order of the list.
 *
 * @param labels how fields are called on the page, by their name; others by their name in words
 */
export function fieldFaults(faults: Detail[], labels: Record<string, string> = {}): FieldFault[] {
  const found = new Map<string, FieldFault>()
  for (const { path, message } of faults) {
    const field = path.split('/')[0]!
    if (found.has(field)) continue
    const own = inWords(message, path, labels[field] ?? labelOf(field))
    found.set(field, { field, message: path === '' ? namesInWords(own, labels) : own })
  }
  return [...found.values()]
}

/** `deal_value` → `Deal value` */
export function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The server begins a message with the path of the field: "full_name is required." */
function inWords(message: string, path: string, label: string): string {
  return path !== '' && message.startsWith(`${path} `) ? label + message.slice(path.length) : message
}

/** What is about the whole names fields in its middle: "A contact needs a full_name or a company." */
function namesInWords(message: string, labels: Record<string, string>): string {
  return message.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => (labels[name] ?? labelOf(name)).toLowerCase())
}
