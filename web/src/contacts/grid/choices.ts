/** What an editor of stages or labels offers. */

/** The line that clears the field; no stage or label is the empty text. */
export const NO_CHOICE = ''

/** Those that begin with the text, then those that hold it, each in the given order; with no text, all and none. */
export function choicesFor(choices: readonly string[], text: string): string[] {
  const typed = text.trim().toLowerCase()
  if (typed === '') return [...choices, NO_CHOICE]
  const placeOf = (choice: string) => choice.toLowerCase().indexOf(typed)
  const found = choices.filter((choice) => placeOf(choice) >= 0)
  return [...found.filter((choice) => placeOf(choice) === 0), ...found.filter((choice) => placeOf(choice) > 0)]
}

/** The choices of the org, then others that are in use. */
export function choicesWith(usual: readonly string[], used: Iterable<string | null>): string[] {
  return [...new Set([...usual, ...[...used].filter((choice) => choice !== null)])]
}
