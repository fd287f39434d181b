/**
 * How good a new password is, in words. The server alone says whether it may be used.
 *
 * @param lengthMin how many characters it needs at least
 */
export function strengthWords(password: string, lengthMin: number): string {
  const letters = [...password]
  const missing = lengthMin - letters.length
  if (letters.length === 0) return `At least ${lengthMin} characters of any kind. Several words are easy to remember.`
  if (missing > 0) return missing === 1 ? '1 more character.' : `${missing} more characters.`
  const different = new Set(letters).size
  if (different < 6) return 'Weak: it repeats itself.'
  if (letters.length >= 20 || (letters.length >= 16 && different >= 10)) return 'Strong.'
  return letters.length >= 14 ? 'Good.' : 'Fair: longer is better.'
}
