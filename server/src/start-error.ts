/** Why this program cannot work with what it found at start. The message is a sentence and says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
