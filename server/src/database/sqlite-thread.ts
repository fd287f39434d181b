/** Runs one SQLite connection's queries, or its checkpoints, on a thread, so that the event loop never waits for them. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { unavailable } from './faults.ts'
import { rowsOf, type Table } from './sqlite-connection.ts'

const CLOSE_MS_MAX = 1_000

/** Asks the thread to close its connection and end. */
export const CLOSE = 'close'

export interface ThreadRequest {
  id: number
  sql: string
  parameters: readonly unknown[]
}

/** Rows go over without their objects: with these a row of 12 columns costs 3 µs from the file to here, and 2 without. */
export type ThreadAnswer = { id: number } & (Table | { error: ThreadError })

export interface ThreadError {
  message: string
  code?: string
  errcode?: number
}

interface Waiting {
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

/** A thread with a connection of its own, started at its first query and again after it has died. */
export class SqliteThread implements DatabaseConnection {
  readonly #file: string
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  constructor(file: string) {
    this.#file = file
  }

  get waiting(): number {
    return this.#waiting.size
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: (await this.run(query.sql, query.parameters)) as R[] }
  }

  // biome-ignore lint/correctness/useYield: a long result is read in pages; Kysely asks for this method all the same
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('A thread answers whole results; read in pages.')
  }

  run(sql: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
    if (this.#isClosed) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      const worker = this.#start()
      worker.ref()
      worker.postMessage({ id, sql, parameters } satisfies ThreadRequest)
    })
  }

  /** Starts the thread before its first query, which then does not wait for that. */
  warm(): void {
    this.#start().unref()
  }

  /** Lets the thread close its connection, so that SQLite tidies up its files; cuts off a query that takes long. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    worker.ref()
    const ended = once(worker, 'exit')
    worker.postMessage(CLOSE)
    const cut = setTimeout(() => void worker.terminate(), CLOSE_MS_MAX)
    await ended
    clearTimeout(cut)
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./sqlite-thread-main.ts', import.meta.url), { workerData: { file: this.#file } })
    worker.on('message', (answer: ThreadAnswer) => this.#answered(answer))
    worker.on('error', (error: Error) => this.#ended(error))
    worker.on('exit', () => this.#ended(new Error('The database thread has ended.')))
    this.#worker = worker
    return worker
  }

  #answered(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ('error' in answer) waiting?.reject(Object.assign(new Error(answer.error.message), answer.error))
    else waiting?.resolve(rowsOf(answer))
  }

  #ended(error: Error): void {
    this.#worker = undefined
    for (const waiting of this.#waiting.values()) waiting.reject(this.#isClosed ? unavailable(error) : error)
    this.#waiting.clear()
  }
}

/** Several threads as one connection: a query goes to the one with the least to do. */
export class SqliteThreads implements DatabaseConnection {
  readonly #threads: SqliteThread[]

  constructor(file: string, count: number) {
    this.#threads = Array.from({ length: count }, () => new SqliteThread(file))
  }

  warm(): void {
    this.#threads[0]!.warm()
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const idlest = this.#threads.reduce((a, b) => (b.waiting < a.waiting ? b : a))
    return idlest.executeQuery(query)
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    return this.#threads[0]!.streamQuery<R>()
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
