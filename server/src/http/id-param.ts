import { Type } from 'typebox'

/** `:id` of a path. One that is no id names nothing: the action answers 404, so nothing is checked here. */
export const IdParam = Type.Object({ id: Type.String({ description: 'The id of the record.' }) })

export interface IdParams {
  id: string
}
