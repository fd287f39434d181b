/** Imports as the server tells of them, and what can be done with one. */
import type {
  FixResult,
  ImportDetail,
  ImportPatch,
  ImportSummary,
  ProblemList,
  UndoPreview,
} from '@server/imports/ui-schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, get, patch, post, remove, upload } from '../api/client.ts'
import { isWorking } from './import-words.ts'

/** The live stream says when there is something new; this is for when it is away. */
const POLL_MS = 2_000
const PROBLEMS_PER_PAGE = 50

export function useImports() {
  return useQuery({
    queryKey: ['imports', 'list'],
    queryFn: ({ signal }) => get<{ data: ImportSummary[] }>('/imports', { signal }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(({ state }) => isWorking(state)) ? POLL_MS : false),
  })
}

export function useImport(id: string) {
  return useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => get<ImportDetail>(`/imports/${id}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isWorking(data.state) ? POLL_MS : false),
  })
}

export function useProblems(id: string, page: number) {
  return useQuery({
    queryKey: ['imports', id, 'problems', page],
    queryFn: ({ signal }) => {
      const query = `limit=${PROBLEMS_PER_PAGE}&offset=${page * PROBLEMS_PER_PAGE}`
      return get<ProblemList>(`/imports/${id}/problems?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })
}

export function useUndoPreview(id: string) {
  return useQuery({
    queryKey: ['imports', id, 'undo-preview'],
    queryFn: ({ signal }) => get<UndoPreview>(`/imports/${id}/undo-preview`, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export type Step = 'check' | 'run' | 'stop' | 'continue' | 'undo'

/** Does things with an import one at a time, and remembers what the last one failed with. */
export function useImportActions(id: string) {
  const client = useQueryClient()
  const [pending, setPending] = useState<string>()
  const [failure, setFailure] = useState<unknown>()

  const attempt = async (what: string, work: () => Promise<ImportDetail>): Promise<boolean> => {
    setPending(what)
    setFailure(undefined)
    try {
      client.setQueryData(['imports', id], await work())
      void client.invalidateQueries({ queryKey: ['imports', 'list'] })
      return true
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
      return false
    } finally {
      setPending(undefined)
    }
  }

  return {
    pending,
    failure,
    forget: () => setFailure(undefined),
    change: (change: ImportPatch) => attempt('change', () => patch<ImportDetail>(`/imports/${id}`, change)),
    step: (step: Step, body: object = {}) => attempt(step, () => post<ImportDetail>(`/imports/${id}/${step}`, body)),
    /** Changes what is given, and has the file checked. */
    check: (change: ImportPatch) =>
      attempt('check', async () => {
        await patch<ImportDetail>(`/imports/${id}`, change)
        client.removeQueries({ queryKey: ['imports', id, 'problems'] })
        return post<ImportDetail>(`/imports/${id}/check`)
      }),
  }
}

export type ImportActions = ReturnType<typeof useImportActions>

/** Corrects a row. What comes of it is in the cache before the promise resolves. */
export function useFixProblem(id: string, page: number) {
  const client = useQueryClient()
  return async (row: number, cells: string[]): Promise<FixResult> => {
    const result = await patch<FixResult>(`/imports/${id}/problems/${row}`, { cells })
    client.setQueryData<ImportDetail>(['imports', id], (before) => before && { ...before, checked: result.checked })
    client.setQueryData<ProblemList>(['imports', id, 'problems', page], (before) => {
      if (!before) return before
      const data = before.data.flatMap((problem) => (problem.row === row ? (result.problem ?? []) : problem))
      return { data, meta: { ...before.meta, count: result.checked.rows_rejected } }
    })
    return result
  }
}

export async function uploadFile(file: File): Promise<ImportDetail> {
  return upload<ImportDetail>(`/imports/upload?name=${encodeURIComponent(file.name.slice(0, 255))}`, file, {
    contentType: 'text/csv',
  })
}

export function removeImport(id: string): Promise<unknown> {
  return remove(`/imports/${id}`)
}
