/** The stages of contacts, those with most contacts first; without a stage last. */
export function stageCounts(
  contacts: readonly { deal_stage: string | null }[],
): { stage: string | null; contacts: number }[] {
  const counts = new Map<string | null, number>()
  for (const { deal_stage } of contacts) counts.set(deal_stage, (counts.get(deal_stage) ?? 0) + 1)
  return [...counts]
    .map(([stage, contacts]) => ({ stage, contacts }))
    .sort((one, other) => Number(one.stage === null) - Number(other.stage === null) || other.contacts - one.contacts)
}
