/** Who asks for a change: what every action is told, whichever door, command or import it came through. */
export interface Actor {
  orgId: string
  /** As it is kept with what was done: `token:<id>`, `member:<id>`, `import:<id>` or `command`. */
  name: string
  /** The queue lane of the deliveries that come of it: a large import's wait behind everybody else's. */
  lane: Lane
}

/** A member at the web app, as the session of a request tells. */
export interface SignedIn {
  id: string
  orgId: string
  name: string
  email: string
  role: 'admin' | 'member'
  sessionId: string
}

export const LANE_LIVE = 0
export const LANE_IMPORT = 1

export type Lane = typeof LANE_LIVE | typeof LANE_IMPORT

/** The command line acts for an org with all rights. */
export function commandActor(orgId: string): Actor {
  return { orgId, name: 'command', lane: LANE_LIVE }
}
