/** What the reference says before and between the operations. Markdown. */
import type { EventName } from '../events/names.ts'

export const GUIDE = `Contacts, deals and tasks of one organisation, as JSON over HTTPS. A deal is a contact whose \`deal_stage\` is set.

**Tokens.** Send \`Authorization: Bearer <token>\` with every request. An admin makes tokens; each has the scope \
\`read\`, \`write\` or both. A record of another organisation does not exist for your token.

**Values.** Ids are lower-case UUIDs. Times are ISO 8601; any offset is taken, UTC with milliseconds is shown. Text is \
trimmed, and empty text means null. Lengths count Unicode characters. A field, parameter or value that is not described \
here is refused, never ignored. Answers may get more fields within v1; what is there stays.

**Errors** have one shape: \`error\` is a code for programs, \`message\` a sentence for people, and \`details\`, with \
\`validation\`, lists every fault. Beside the errors of each operation there are 404 \`not_found\` for an unknown path, \
405 \`method_not_allowed\` with \`Allow\` for a method that the path does not have, and 414 and 431 \`bad_request\` for a URL \
over 8 KiB and headers over 16 KiB. HEAD works wherever GET does.

**Rate limit.** It counts the requests of the whole organisation in the hour before now: 5,000, unless its plan has \
more. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where you stand; over the limit, \
\`Retry-After\` tells when the next request will be let through. Refused requests do not count.

**Trying again.** GET, PATCH and DELETE can be repeated: the record ends up the same. A POST can be repeated when it has \
an \`Idempotency-Key\`: nothing is created twice.`

export const TAGS = [
  { name: 'Contacts', description: 'People and companies.' },
  { name: 'Deals', description: 'Contacts with a stage. To change a deal, change its contact.' },
  { name: 'Tasks', description: 'What is to be done, perhaps about a contact.' },
  {
    name: 'Events',
    description:
      'What happened, sent by POST to the addresses that an admin subscribed. Answer with any 2xx status within 10 ' +
      'seconds; anything else is recorded as failed and not sent again by itself. Events about one contact come in ' +
      'the order in which they happened. After a crash of the sender one may come twice, with the same ' +
      '`X-Service-Delivery`.',
  },
]

/** When each event is sent. */
export const EVENT_NOTES: Record<EventName, { summary: string; description: string }> = {
  'contact.created': {
    summary: 'A contact was added',
    description: 'By a person, a program or an import. A contact that is added with a stage sends this event alone.',
  },
  'contact.updated': {
    summary: 'A contact was changed',
    description:
      'After every successful change, also one that made no difference. The contact is as it was right after.',
  },
  'contact.deleted': {
    summary: 'A contact was deleted',
    description: 'The contact is as it was right before.',
  },
  'deal.stage_changed': {
    summary: 'A deal moved to another stage',
    description: 'After `contact.updated`, when `deal_stage` became another one, was set or was cleared.',
  },
  'task.created': { summary: 'A task was added', description: 'The task is as it was added.' },
  'task.completed': {
    summary: 'A task was done or completed',
    description: 'Each time that a change sets `status` to `done` or `completed`.',
  },
}
