import { useApiUrl } from '../app/session.ts'
import { type ApiCall, curlOf } from './api-call.ts'
import { CopyField } from './copy-field.tsx'
import { Dialog } from './dialog.tsx'

export interface ApiCallDialogProps {
  call: ApiCall
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** For a menu: open it with a state of your own. The button is `ShowAsApiCall`. */
export default function ApiCallDialog({ call, isOpen, onOpenChange }: ApiCallDialogProps) {
  const apiUrl = useApiUrl()
  return (
    <Dialog title="Show as API call" isWide isOpen={isOpen} onOpenChange={onOpenChange}>
      <p className="secondary">
        The same through the API. Put an API key into <code>KITH_TOKEN</code> first.{' '}
        <a className="link" href="/docs" target="_blank" rel="noopener">
          Read the API reference
        </a>
      </p>
      <CopyField label="Command" value={curlOf(call, apiUrl)} isMultiline isLabelHidden />
    </Dialog>
  )
}
