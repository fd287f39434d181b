/** Text of others on its way to a terminal: nothing in it may move the cursor, change colours or hide a part. */

/** Control characters, line separators, and the marks that turn the direction of writing. */
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * Makes control characters visible, a line break too, so that the text stays on its line.
 *
 * @returns the text with `\n`, `\r`, `\t` for those, and `\u001b` and the like for the others
 */
export function visibleText(text: string): string {
  return text.replace(HARMFUL, (character) => SHORT.get(character) ?? escaped(character))
}

/**
 * Escapes in finished JSON the harmful characters that `JSON.stringify` lets through. They only occur inside its
 * strings, so the meaning stays the same.
 */
export function visibleJson(json: string): string {
  return json.replace(HARMFUL_IN_JSON, escaped)
}

const HARMFUL_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

const SHORT = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
