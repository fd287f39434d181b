import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'

export const ROLES = ['admin', 'member'] as const

export type Role = (typeof ROLES)[number]

export const PASSWORD_LENGTH_MIN = 12

const NAME_MAX = 200

const email = Type.String({ format: 'email', minLength: 1, maxLength: 254 })
const role = Type.Enum([...ROLES], { type: 'string' })
const time = Type.String({ format: 'date-time' })

/** A person of an org, as listed. */
export const Member = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role,
    created_at: time,
    last_seen_at: nullable(time),
  },
  { $id: 'Member', additionalProperties: false },
)
export type Member = Static<typeof Member>

/** Who is to become a member. The password is judged by `password-rules.ts`. */
export const NewMember = Type.Object(
  {
    email,
    name: Type.Optional(Type.String({ maxLength: NAME_MAX })),
    role,
  },
  { additionalProperties: false },
)
export type NewMember = Static<typeof NewMember>

/** Taken exactly as sent. What a new one may be is judged by `password-rules.ts`; this only bounds the work. */
const password = Type.String({ minLength: 1, maxLength: 1024, 'x-verbatim': true })

/** The name that a person goes by, where one is needed. */
const name = Type.String({ minLength: 1, maxLength: NAME_MAX })

export const SignIn = Type.Object({ email, password }, { additionalProperties: false })
export type SignIn = Static<typeof SignIn>

/** The first admin of a fresh server. */
export const FirstMember = Type.Object({ name, email, password }, { additionalProperties: false })

export const NewInvitation = Type.Object({ email, role }, { additionalProperties: false })
export type NewInvitation = Static<typeof NewInvitation>

/** Somebody who has been invited and has not come yet. */
export const Invitation = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role,
    created_by: Type.String({ description: 'Who invited: `member:<id>`.' }),
    created_at: time,
    expires_at: time,
  },
  { $id: 'Invitation', additionalProperties: false },
)
export type Invitation = Static<typeof Invitation>

/** A link that is shown once, for somebody to hand over. */
export const MadeLink = Type.Object(
  { id: Type.String(), link: Type.String(), expires_at: time },
  { $id: 'MadeLink', additionalProperties: false },
)
export type MadeLink = Static<typeof MadeLink>

export const MemberChange = Type.Object({ role }, { additionalProperties: false })
export type MemberChange = Static<typeof MemberChange>

const token = Type.String({ minLength: 1, maxLength: 200 })

export const LinkToken = Type.Object({ token }, { additionalProperties: false })

/** What the page of a one-time link shows. */
export const OpenedLink = Type.Object(
  {
    kind: Type.Enum(['invitation', 'reset'], { type: 'string' }),
    org_name: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role,
  },
  { $id: 'OpenedLink', additionalProperties: false },
)
export type OpenedLink = Static<typeof OpenedLink>

export const LinkAcceptance = Type.Object(
  { token, name: Type.Optional(name), password },
  { additionalProperties: false },
)
export type LinkAcceptance = Static<typeof LinkAcceptance>

export const NameChange = Type.Object({ name }, { additionalProperties: false })

/** Another e-mail address needs the current password, since it is what one signs in with. */
export const EmailChange = Type.Object({ email, current_password: password }, { additionalProperties: false })

/** Either of them, or both. */
export const OwnChange = Type.Object(
  { name: Type.Optional(name), email: Type.Optional(email), current_password: Type.Optional(password) },
  { additionalProperties: false },
)
export type OwnChange = Static<typeof OwnChange>

export const PasswordChange = Type.Object(
  { current_password: password, new_password: password },
  { additionalProperties: false },
)
export type PasswordChange = Static<typeof PasswordChange>
