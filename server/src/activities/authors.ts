/** Who did something, as people know them. */
import type { Reader } from '../database/engine.ts'
import { namesByIds } from './store.ts'

/**
 * The names of actors (`member:<id>`, `token:<id>`, `import:<id>`, `command`).
 *
 * @returns a function from an actor to its name, also of one that is gone
 */
export async function authorsOf(
  db: Reader,
  orgId: string,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  const idsOf = (kind: string) => {
    const ids = actors.filter((actor) => actor.startsWith(`${kind}:`)).map((actor) => actor.slice(kind.length + 1))
    return [...new Set(ids)]
  }
  const names = await namesByIds(db, orgId, {
    members: idsOf('member'),
    tokens: idsOf('token'),
    imports: idsOf('import'),
  })
  return (actor) => {
    const [kind = '', id = ''] = actor.split(':')
    return names.get(id) ?? NAMELESS[kind] ?? actor
  }
}

const NAMELESS: Record<string, string> = {
  command: 'Command line',
  member: 'Former member',
  token: 'API key',
  import: 'Import',
}
