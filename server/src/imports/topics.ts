/** Hinted at when there is an import to work. */
export const IMPORTS_TOPIC = 'imports'
