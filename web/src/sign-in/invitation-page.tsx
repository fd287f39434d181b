import { LinkPage } from './link-page.tsx'

export function InvitationPage() {
  return (
    <LinkPage
      kind="invitation"
      title={(link) => (link ? `Join ${link.org_name}` : 'Invitation')}
      lead={({ role }) => (role === 'admin' ? 'You are invited as an admin.' : 'You are invited as a member.')}
      submit="Join"
    />
  )
}
