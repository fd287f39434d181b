// Sets theme, density and motion before the first paint. See preferences.ts, which keeps them.
;(() => {
  const root = document.documentElement
  try {
    const kept = JSON.parse(localStorage.getItem('kith-preferences') ?? '{}')
    if (kept.theme === 'light' || kept.theme === 'dark') root.dataset.theme = kept.theme
    if (kept.density === 'compact') root.dataset.density = 'compact'
    if (kept.reducedMotion === true) root.dataset.motion = 'reduced'
  } catch {
    // What is kept there is not ours, or may not be read: the defaults stand.
  }
})()
