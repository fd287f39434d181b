/**
 * What can be done here by name or by key: the palette lists it, a shortcut runs it, `?` shows the keys.
 * Pages add what they can do while they are shown.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react'

export const COMMAND_SECTIONS = ['This selection', 'This contact', 'This page', 'Create', 'Go to'] as const

export interface Command {
  /** Unique, and the same each time: recent commands are remembered by it. */
  id: string
  /** A verb and its noun: "New contact". */
  text: string
  section: (typeof COMMAND_SECTIONS)[number]
  /** `c`, `g d`, `mod+k` (Ctrl or ⌘). Single keys are off in fields, and where a person has turned them off. */
  keys?: string | undefined
  /** Other words that find it. */
  words?: string | undefined
  /** A page of ours, which Ctrl or ⌘ Enter opens in a new tab; else `run`. */
  href?: string | undefined
  run?: (() => void) | undefined
  /** Has keys and is no command of its own, such as "Palette" in the palette. */
  isUnlisted?: boolean | undefined
}

let all: Command[] = []
const groups = new Map<symbol, Command[]>()
const listeners = new Set<() => void>()

/** Adds commands while the component is shown. The newest with the same keys or id wins. */
export function useCommands(commands: Command[]): void {
  const latest = useRef(commands)
  latest.current = commands
  const signature = JSON.stringify(commands.map(({ run: _, ...rest }) => rest))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `signature` says when they differ; `run` is read late.
  useEffect(() => {
    const group = Symbol('commands')
    groups.set(
      group,
      latest.current.map((command) => ({
        ...command,
        ...(command.run ? { run: () => latest.current.find(({ id }) => id === command.id)?.run?.() } : {}),
      })),
    )
    changed()
    return () => {
      groups.delete(group)
      changed()
    }
  }, [signature])
}

/** The newest first. */
export function commands(): Command[] {
  return all
}

export function useAllCommands(): Command[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, commands)
}

function changed(): void {
  const found = new Map<string, Command>()
  for (const group of [...groups.values()].reverse()) {
    for (const command of group) if (!found.has(command.id)) found.set(command.id, command)
  }
  all = [...found.values()]
  for (const listener of listeners) listener()
}
