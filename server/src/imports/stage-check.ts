import type { ContactInput } from '../contacts/schema.ts'
import type { Database } from '../database/engine.ts'
import { requireStage } from '../orgs/actions.ts'
import type { Match, Refusal } from './schema.ts'
import { refusalOfRule } from './take-row.ts'

const STAGES_KEPT_MAX = 1000

/** The pipeline's rule for each stage, asked for once. */
export class StageCheck {
  readonly #db: Database
  readonly #orgId: string
  readonly #refusals = new Map<string, Refusal | undefined>()

  constructor(db: Database, orgId: string) {
    this.#db = db
    this.#orgId = orgId
  }

  /** @param place whether the row is about a contact that is there, and what becomes of such a row */
  async refusalOf(
    { deal_stage }: ContactInput,
    { isKnown, match }: { isKnown: boolean; match: Match },
  ): Promise<Refusal | undefined> {
    if (!deal_stage || (isKnown && match.known === 'skip')) return undefined
    if (!this.#refusals.has(deal_stage)) {
      if (this.#refusals.size >= STAGES_KEPT_MAX) this.#refusals.clear()
      this.#refusals.set(deal_stage, await this.#ask(deal_stage))
    }
    return this.#refusals.get(deal_stage)
  }

  #ask(stage: string): Promise<Refusal | undefined> {
    return requireStage(this.#db.read, this.#orgId, stage).then(() => undefined, refusalOfRule)
  }
}
