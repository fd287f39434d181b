import { LinkPage } from './link-page.tsx'

export function ResetPage() {
  return (
    <LinkPage
      kind="reset"
      title={() => 'Choose a new password'}
      lead={({ org_name }) => `For ${org_name}. You are signed out everywhere else.`}
      submit="Save password"
    />
  )
}
