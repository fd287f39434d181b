import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorState, FailureText } from '../ui/error-state.tsx'
import { counted } from '../ui/format.ts'
import { Link } from '../ui/link.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { undoSentence } from './import-words.ts'
import { useImportActions, useUndoPreview } from './use-imports.ts'

/** Says what undoing an import would do and leave, before it is done. */
export function UndoDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { data, error, refetch } = useUndoPreview(id)
  const actions = useImportActions(id)
  const undo = async () => {
    if (await actions.step('undo')) onClose()
  }
  return (
    <Dialog
      title={`Undo the import of ${name}?`}
      role="alertdialog"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      {data ? (
        <>
          <p>{undoSentence(data)} Webhooks are told of it.</p>
          {data.kept_count > 0 ? (
            <div>
              <p>
                {counted(data.kept_count, 'contact')} that people have worked with since, in whole or in part, will
                stay:
              </p>
              <ul className="import-kept">
                {data.kept.map(({ contact_id, name: kept, because, fields }) => (
                  <li key={contact_id}>
                    <Link to="/contacts/$id" params={{ id: contact_id }}>
                      {kept}
                    </Link>{' '}
                    <span className="secondary">{reason(because, fields)}</span>
                  </li>
                ))}
              </ul>
              {data.kept_count > data.kept.length ? <p className="secondary">and more</p> : null}
            </div>
          ) : null}
        </>
      ) : error ? (
        <ErrorState title="What undoing would do could not be loaded." failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={3} label="Looking at what would change" />
      )}
      {actions.failure === undefined ? null : (
        <FailureText failure={actions.failure} title="The import was not undone." />
      )}
      <DialogActions>
        <Button autoFocus onPress={onClose}>
          Cancel
        </Button>
        {data ? (
          <Button variant="danger" isPending={actions.pending === 'undo'} onPress={() => void undo()}>
            Undo import
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  )
}

function reason(because: 'edited' | 'used', fields: readonly string[]): string {
  if (because === 'used') return 'has notes, calls or tasks'
  return fields.length > 0 ? `keeps ${fields.join(', ').replaceAll('_', ' ')}` : 'was edited'
}
