/**
 * The input of a test email, sections 4.3 and 8.3, the same in REST and GraphQL. A malformed recipient does not fail
 * the request: it is that recipient's result, and the others get their email.
 */
import { Text, Texts } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import {
  contentProblem,
  MAX_BODY_BYTES,
  MAX_SUBJECT_LENGTH,
} from '../../templates/domain/template-limits.js';
import { MAX_SENDER_NAME_LENGTH, type Sender } from '../../workspaces/domain/workspace.js';
import { normalAddress } from '../domain/email-address.js';
import {
  DEFAULT_TEST_SUBJECT,
  MAX_TEST_RECIPIENTS,
  TEST_MARKER,
  type TestSend,
} from '../domain/test-send.js';

/** Null means the same as an absent field. */
const OPTIONAL = { optional: true, nullable: 'absent' } as const;

function addressProblem(text: string): string | undefined {
  return normalAddress(text.trim()) === undefined ? 'must be an email address' : undefined;
}

@Input({ rest: 'TestSendBody', graphql: 'TestEmailInput' })
export class TestEmailInput {
  @Texts({
    min: 1,
    max: MAX_TEST_RECIPIENTS,
    example: ['olive@acme.test'],
    description:
      `1 to ${MAX_TEST_RECIPIENTS} addresses. An invalid address does not affect the others. Duplicates are ` +
      'sent one email.',
  })
  toEmails: string[];

  @Text({
    ...OPTIONAL,
    max: MAX_SUBJECT_LENGTH,
    default: DEFAULT_TEST_SUBJECT,
    description: `Prefixed with ${TEST_MARKER} when sent.`,
  })
  subject?: string | null;

  @Text({
    min: 1,
    check: contentProblem,
    description: `At most ${MAX_BODY_BYTES} bytes of UTF-8. Rendered with the recipient’s contact if one exists.`,
    example: '<p>Hi {the user\'s First Name, or "there"}</p>',
  })
  bodyHtml: string;

  @Text({ ...OPTIONAL, max: MAX_SENDER_NAME_LENGTH, example: 'Acme' }) senderName?: string | null;

  @Text({
    ...OPTIONAL,
    check: addressProblem,
    example: 'hello@acme.test',
    description:
      'An address at an unverified domain is rewritten to the shared sending domain, as in live email.',
  })
  fromEmail?: string | null;

  @Text({ ...OPTIONAL, check: addressProblem, example: 'help@acme.test' }) replyTo?: string | null;
}

/** The requested test send. Blank values count as absent. */
export function testSendOf(input: TestEmailInput): TestSend {
  const given = (name: keyof Sender, text: string | null | undefined): Sender => {
    const trimmed = (text ?? '').trim();
    return trimmed === '' ? {} : { [name]: trimmed };
  };
  return {
    toEmails: input.toEmails,
    subject: (input.subject ?? '').trim() || DEFAULT_TEST_SUBJECT,
    bodyHtml: input.bodyHtml,
    sender: {
      ...given('fromName', input.senderName),
      ...given('fromEmail', input.fromEmail),
      ...given('replyTo', input.replyTo),
    },
  };
}
