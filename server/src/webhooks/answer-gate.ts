/** Watches the bytes of answers before the HTTP parser has them. */

import type { Socket } from 'node:net'
import { SendFailure } from '../outgoing/send-failure.ts'

const HEADERS_BYTES_MAX = 16 * 1024
/** 16 KiB of body in chunks of one byte are 96 KiB on the wire. */
const ANSWER_BYTES_MAX = 128 * 1024

const STATUS_LINE_START = /^HTTP\/1\.[01] (\d\d\d)[ \r\n]/
const STATUS_LINE_START_BYTES = 13

export interface AnswerGate {
  /** Makes ready for the answer to the next request; `onStatus` may be called again with the same status. */
  expectAnswer(onStatus: (status: number) => void): void
}

/**
 * Puts itself between a socket and undici, which reads it by `socket.read()`. It does what undici does not:
 * - It drops informational answers. RFC 9110 §15.2 wants any number of them ignored; undici takes an unasked
 *   `100 Continue` for a fault.
 * - It tells the status as soon as its line begins.
 * - It holds the head back until it is whole, and ends the answer when that takes more than 16 KiB. undici counts names
 *   and values only, and goes on through the headers behind its limit at the cost of an error for each.
 * - It ends an answer of too many bytes, be they in chunk extensions, in trailers, or in informational answers.
 *
 * @see contract §8, security W5
 */
export function gateAnswers(socket: Socket): AnswerGate {
  const read = socket.read.bind(socket)
  /** Null once the head is through. */
  let tellStatus: ((status: number) => void) | null = null
  let held: Buffer | null = null
  let answerBytes = 0

  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (chunk === null || size !== undefined) return chunk
    answerBytes += chunk.length
    if (answerBytes > ANSWER_BYTES_MAX) return refuse('The answer goes on without end.')
    return tellStatus ? readHead(chunk, tellStatus) : chunk
  }

  return {
    expectAnswer(onStatus) {
      tellStatus = onStatus
      held = null
      answerBytes = 0
    },
  }

  function readHead(chunk: Buffer, tell: (status: number) => void): Buffer | null {
    let rest = held ? Buffer.concat([held, chunk]) : chunk
    held = null
    while (rest.length > 0) {
      if (rest.length < STATUS_LINE_START_BYTES) return hold(rest)
      const status = Number(STATUS_LINE_START.exec(rest.toString('latin1', 0, STATUS_LINE_START_BYTES))?.[1])
      // What is no HTTP has no end of a head either: the parser says what is wrong with it.
      if (!status) return pass(rest)
      if (!isInformational(status)) tell(status)
      const end = rest.indexOf('\r\n\r\n') + 4
      if (end > HEADERS_BYTES_MAX) return refuseHeaders()
      if (end < 4) return hold(rest)
      if (!isInformational(status)) return pass(rest)
      rest = rest.subarray(end)
    }
    return null
  }

  function pass(rest: Buffer): Buffer {
    tellStatus = null
    return rest
  }

  function hold(rest: Buffer): null {
    if (rest.length >= HEADERS_BYTES_MAX) return refuseHeaders()
    held = rest
    return null
  }

  function refuseHeaders(): null {
    return refuse("The answer's headers are larger than 16 KiB.")
  }

  function refuse(sentence: string): null {
    socket.destroy(new SendFailure(sentence))
    return null
  }
}

/** 101 is not: it is final, and never asked for. */
function isInformational(status: number): boolean {
  return status >= 100 && status < 200 && status !== 101
}
