/** Which Kith is measured: the one of this checkout, or that of another commit beside it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Program {
  /** As tables name it. */
  name: string
  /** Path of its `kith` command. */
  kith: string
  /** Where its servers write a profile when they end: see `profile.ts`. */
  profiles?: string
}

const root = join(import.meta.dirname, '../..')

export const OWN: Program = { name: 'Kith', kith: join(root, 'server/bin/kith.mjs') }

/** It runs the source, whose files a profile names. */
export function profiled(program: Program, profiles: string): Program {
  return { ...program, kith: join(root, 'server/src/main.ts'), profiles }
}

/**
 * Checks another commit out beside this one, for as long as `work` takes. It runs with the packages that are installed
 * here: a commit that needs others cannot be compared.
 */
export async function withCommit<T>(commit: string, work: (program: Program) => Promise<T>): Promise<T> {
  const id = git('rev-parse', '--short', `${commit}^{commit}`)
  const folder = mkdtempSync(join(tmpdir(), 'kith-commit-'))
  const checkout = join(folder, id)
  try {
    git('worktree', 'add', '--detach', checkout, id)
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
    const bundle = join(checkout, 'server/build/bundle.mjs')
    if (existsSync(bundle)) execFileSync(process.execPath, [bundle], { stdio: 'inherit' })
    return await work({ name: `Kith at ${id}`, kith: join(checkout, 'server/bin/kith.mjs') })
  } finally {
    rmSync(folder, { recursive: true })
    git('worktree', 'prune')
  }
}

/** Its short id, with a word when files differ from it. */
export function ownCommit(): string {
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', ':!bench') !== ''
    return git('rev-parse', '--short', 'HEAD') + (isChanged ? ', with changes' : '')
  } catch {
    return 'no commit'
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
