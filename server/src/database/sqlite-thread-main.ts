/** The thread's side of `sqlite-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite-connection.ts'
import { openSqlite } from './sqlite-open.ts'
import { CLOSE, type ThreadAnswer, type ThreadRequest } from './sqlite-thread.ts'

const connection = new SqliteConnection(openSqlite((workerData as { file: string }).file))

parentPort!.on('message', (request: ThreadRequest | typeof CLOSE) => {
  if (request !== CLOSE) return parentPort!.postMessage(answer(request))
  connection.close()
  parentPort!.close()
})

function answer({ id, sql, parameters }: ThreadRequest): ThreadAnswer {
  try {
    const { names, values } = connection.table(sql, parameters)
    return { id, names, values }
  } catch (error) {
    const { message, code, errcode } = error as { message: string; code?: string; errcode?: number }
    return { id, error: { message, code, errcode } }
  }
}
