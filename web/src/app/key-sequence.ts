/** Which command a key means, as a pure function: sequences such as `g c` take two. */

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}

export interface SequenceState {
  /** The first key of a sequence that has begun. */
  begun: string | undefined
  atMs: number
}

export const NO_SEQUENCE: SequenceState = { begun: undefined, atMs: 0 }

const PAUSE_MS_MAX = 1_500

/**
 * @param bindings the keys of all commands: `c`, `g c`, `mod+k`
 * @param isPlainAllowed whether keys without Ctrl or ⌘ count here: not in fields, nor where they are turned off
 * @returns the binding that is meant, if any, and what to hand over with the next key
 */
export function nextKey(
  state: SequenceState,
  press: KeyPress,
  bindings: string[],
  { nowMs, isPlainAllowed }: { nowMs: number; isPlainAllowed: boolean },
): { binding: string | undefined; state: SequenceState } {
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
  if (press.altKey) return { binding: undefined, state: NO_SEQUENCE }
  if (press.ctrlKey || press.metaKey) return { binding: only(bindings, `mod+${key}`), state: NO_SEQUENCE }
  if (!isPlainAllowed) return { binding: undefined, state: NO_SEQUENCE }
  const isInTime = state.begun !== undefined && nowMs - state.atMs <= PAUSE_MS_MAX
  const pair = isInTime ? only(bindings, `${state.begun} ${key}`) : undefined
  if (pair) return { binding: pair, state: NO_SEQUENCE }
  const isBeginning = bindings.some((binding) => binding.startsWith(`${key} `))
  return {
    binding: only(bindings, key),
    state: isBeginning ? { begun: key, atMs: nowMs } : NO_SEQUENCE,
  }
}

function only(bindings: string[], wanted: string): string | undefined {
  return bindings.includes(wanted) ? wanted : undefined
}

/** "Ctrl K" or "⌘K", "g then c", "c" */
export function keysText(keys: string, isApple: boolean): string {
  if (keys.startsWith('mod+')) {
    const key = keys.slice('mod+'.length)
    const shown = key.length === 1 ? key.toUpperCase() : key
    return isApple ? `⌘${shown}` : `Ctrl ${shown}`
  }
  return keys.replace(' ', ' then ')
}
