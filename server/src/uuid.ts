/** Whether this is a UUID (of any version) in the one form that Kith writes: canonical and lower case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
