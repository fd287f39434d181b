import { IconCode } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { ApiCall } from './api-call.ts'
import { IconButton } from './icon-button.tsx'

const ApiCallDialog = lazy(() => import('./api-call-dialog.tsx'))

/** The button that shows the `curl` for what is on screen. */
export function ShowAsApiCall({ call }: { call: ApiCall }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton label="Show as API call" onPress={() => setOpen(true)}>
        <IconCode />
      </IconButton>
      {isOpen ? (
        <Suspense>
          <ApiCallDialog call={call} isOpen onOpenChange={setOpen} />
        </Suspense>
      ) : null}
    </>
  )
}
