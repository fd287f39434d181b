/** What `q` is compared with: text without case and accents. */

const SEPARATOR = '\u001f'

/**
 * The text that is stored for searching a contact: both names folded, with U+001F between them, which no folded text
 * holds, so that one `q` never matches across both.
 */
export function searchTextOf(fullName: string | null, company: string | null): string {
  return foldForSearch(fullName ?? '') + SEPARATOR + foldForSearch(company ?? '')
}

/**
 * Takes case and accents away, the same for stored text and for `q`: where `q` is a part of a name, its folding is a
 * part of the name's folding.
 *
 * - Compatibility forms become plain ones: full-width letters, ligatures, no-break spaces (NFKD).
 * - Marks go where writers leave them out or take them for accents: on Latin, Greek, Cyrillic, Hebrew and Arabic
 *   letters. Elsewhere they are vowels, tones or other letters (Indic, Thai, kana) and stay.
 * - Case goes by upper then lower case, so that ß is ss, ı and İ are i, and both small sigmas are one.
 * - Latin letters that Unicode does not decompose become those people type for them; see LETTERS.
 * - U+001F becomes a space.
 *
 * @param text at most a few hundred characters: sorting a long run of marks takes the square of its length
 */
export function foldForSearch(text: string): string {
  const separated = text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, ' ') : text
  if (!BEYOND_ASCII.test(separated)) return separated.toLowerCase()
  return separated
    .normalize('NFKD')
    .replace(MARKED_LETTER, '$1')
    .toUpperCase()
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter]!)
    .normalize('NFC')
}

const BEYOND_ASCII = /[^\x00-\x7f]/

const MARKED_LETTER =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{Mark}+/gu

/** Small letters only; ß stands for the capital ẞ, which upper case leaves alone, and ς for what lower case makes of a last Σ. */
const LETTERS: Record<string, string> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ɖ: 'd',
  ǥ: 'g',
  ħ: 'h',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  ŧ: 't',
  þ: 'th',
  ƶ: 'z',
  ß: 'ss',
  ς: 'σ',
}

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
