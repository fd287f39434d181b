import { type RefObject, useEffect, useRef } from 'react'

/** The page that was opened first keeps the focus where the browser puts it. */
let isFirstPage = true

/** The page has changed and its heading is not there yet. */
let isAwaited = false

/** For the router: moves the focus to the heading, now or when it appears. */
export function pageChanged(): void {
  if (isFirstPage) {
    isFirstPage = false
    return
  }
  const heading = document.querySelector<HTMLElement>('main h1')
  isAwaited = !heading
  heading?.focus({ preventScroll: true })
}

/**
 * Names the document, and takes the focus after a navigation.
 *
 * @param section the page that this one belongs to: "Contacts" for one contact
 * @returns goes on the page's `h1`, which needs `tabIndex={-1}`
 */
export function usePageHeading(title: string, section?: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = [title, section, 'Kith'].filter(Boolean).join(' · ')
  }, [title, section])
  useEffect(() => {
    if (!isAwaited) return
    isAwaited = false
    heading.current?.focus({ preventScroll: true })
  })
  return heading
}
