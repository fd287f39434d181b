/** What is read aloud and not shown: one polite and one assertive region, in the page for all of its life. */

const regions = new Map<'status' | 'alert', HTMLElement>()

/** @param isUrgent interrupts what is being read: for failures alone */
export function announce(text: string, { isUrgent = false } = {}): void {
  const line = document.createElement('p')
  line.textContent = text
  region(isUrgent ? 'alert' : 'status').append(line)
  setTimeout(() => line.remove(), 7000)
}

/** Regions have to be there before their first text, or some readers miss it. */
export function startAnnouncing(): void {
  region('status')
  region('alert')
}

function region(role: 'status' | 'alert'): HTMLElement {
  const there = regions.get(role)
  if (there) return there
  const made = document.createElement('div')
  made.className = 'visually-hidden'
  made.setAttribute('role', role)
  made.setAttribute('aria-live', role === 'alert' ? 'assertive' : 'polite')
  // All that is beside an open dialog is hidden from readers, but for what is marked so.
  made.dataset.liveAnnouncer = 'true'
  document.body.append(made)
  regions.set(role, made)
  return made
}
