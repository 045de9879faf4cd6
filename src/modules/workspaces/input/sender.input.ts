/** Input for the sender of a workspace's messages; omitted members do not change, null removes. */
import { domainToASCII } from 'node:url';
import { isEmailAddress } from '../../../kernel/email-address.js';
import { Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { MAX_SENDER_NAME_LENGTH, type SenderChange } from '../domain/workspace.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** An invalid one is a 422, like every other From address (section 9, release of 2026-09-01). */
const ADDRESS = {
  ...OPTIONAL,
  check: (text: string) =>
    isEmailAddress(text) && domainToASCII(text.slice(text.lastIndexOf('@') + 1)) !== ''
      ? undefined
      : 'is no address',
  message: 'must be an email address',
} as const;

@Input({ graphql: 'SenderInput' })
export class SenderInput implements SenderChange {
  @Text({ ...ADDRESS, description: 'For example hello@example.com.' }) fromEmail?: string | null;

  @Text({
    ...OPTIONAL,
    max: MAX_SENDER_NAME_LENGTH,
    check: (text) => (text.trim() === '' ? 'is empty' : undefined),
    message: `must have 1 to ${MAX_SENDER_NAME_LENGTH} characters`,
    description: 'The sender name shown to recipients. The company name if not set.',
  })
  fromName?: string | null;

  @Text({ ...ADDRESS, description: 'The address that replies go to.' }) replyTo?: string | null;
}
