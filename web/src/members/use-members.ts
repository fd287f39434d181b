import type { Invitation, Member } from '@server/members/schema.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from '../api/client.ts'

export interface Members {
  members: Member[]
  invitations: Invitation[]
}

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => get<Members>('/members', { signal }),
})
