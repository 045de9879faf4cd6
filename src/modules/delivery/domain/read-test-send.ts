/**
 * Reads the body of POST /v1/templates/test-send, sections 4.3 and 8.3. A malformed recipient is no fault of the
 * request: it is that recipient's outcome, and the others get their email.
 */
import { DomainError, invalidFields, missingField, type FieldError } from '../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { contentProblem, LONGEST_SUBJECT, textProblem } from '../../templates/domain/template-bounds.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import { normalAddress } from './email-address.js';

export const MOST_TEST_RECIPIENTS = 5;
export const LONGEST_SENDER_NAME = 255;
/** The subject of a test email that is given none. */
export const DEFAULT_TEST_SUBJECT = 'Test email';

export interface TestSend {
  /** 1 to 5 texts that need not be addresses. */
  readonly toEmails: readonly string[];
  readonly subject: string;
  readonly bodyHtml: string;
  /** What the request says of the sender; the rest is the workspace's. */
  readonly sender: Sender;
}

const REQUIRED = ['to_emails', 'body_html'] as const;

/** What is wrong with a value that is present; undefined when nothing is. */
const CHECKS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  to_emails: recipientsProblem,
  subject: optional((text) => textProblem(text, LONGEST_SUBJECT)),
  body_html: bodyProblem,
  sender_name: optional((text) => textProblem(text, LONGEST_SENDER_NAME)),
  from_email: optional(addressProblem),
  reply_to: optional(addressProblem),
};

/**
 * Reads a test send.
 * @throws DomainError invalid_field naming every field that is wrong or unknown; validation_error when a required one
 *   is missing.
 */
export function readTestSend(input: unknown): TestSend {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const errors = Object.entries(input).flatMap(([field, value]): FieldError[] => {
    if (value === undefined) return [];
    const check = Object.hasOwn(CHECKS, field) ? CHECKS[field] : () => 'is not a known field';
    const message = check?.(value);
    return message === undefined ? [] : [{ field, message }];
  });
  if (errors.length > 0) throw invalidFields(errors);
  for (const field of REQUIRED) if (input[field] === undefined) throw missingField(field);
  return toTestSend(input);
}

/** The fields have been checked one by one. */
function toTestSend(input: JsonObject): TestSend {
  const text = (field: string): string => ((input[field] ?? '') as string).trim();
  const given = (field: string, name: keyof Sender): Sender =>
    text(field) === '' ? {} : { [name]: text(field) };
  return {
    toEmails: input['to_emails'] as readonly string[],
    subject: text('subject') || DEFAULT_TEST_SUBJECT,
    bodyHtml: input['body_html'] as string,
    sender: {
      ...given('sender_name', 'fromName'),
      ...given('from_email', 'fromEmail'),
      ...given('reply_to', 'replyTo'),
    },
  };
}

/** Null says as little as an absent field. */
function optional(check: (text: string) => string | undefined): (value: unknown) => string | undefined {
  return (value) => {
    if (value === null) return undefined;
    return typeof value === 'string' ? check(value) : 'must be a text';
  };
}

function recipientsProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    return 'must be a list of texts';
  return value.length >= 1 && value.length <= MOST_TEST_RECIPIENTS
    ? undefined
    : `must hold 1 to ${MOST_TEST_RECIPIENTS} addresses`;
}

function bodyProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  return value === '' ? 'must not be empty' : contentProblem(value);
}

function addressProblem(text: string): string | undefined {
  return normalAddress(text.trim()) === undefined ? 'must be an email address' : undefined;
}
