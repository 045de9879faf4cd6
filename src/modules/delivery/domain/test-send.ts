/**
 * What comes of a test email, recipient by recipient (section 4.3, test-send). It is sent at once and once only: there
 * is no ledger entry that it could be tried again from.
 */
import type { TemplateLanguage } from '../../../language/language.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import { normalAddress } from './email-address.js';
import type { FailedAttempt } from './failed-attempt.js';

export const MOST_TEST_RECIPIENTS = 5;
/** The subject of a test email that is given none. */
export const DEFAULT_TEST_SUBJECT = 'Test email';

/** A test email that is asked for. */
export interface TestSend {
  /** 1 to 5 texts that need not be addresses. */
  readonly toEmails: readonly string[];
  readonly subject: string;
  readonly bodyHtml: string;
  /** What the content is pinned to; found out where it is absent or null. */
  readonly templateLanguage?: TemplateLanguage | null;
  /** What the request says of the sender; the rest is the workspace's. */
  readonly sender: Sender;
}

/** Stands before the subject of every test email. */
export const TEST_MARKER = '[Test]';

/** Why a recipient was not sent the test email. */
export const TEST_SEND_REASONS = [
  /** Reasons of the message, which then goes to nobody. */
  'unresolved_placeholder',
  'template_errors',
  'workspace_not_live',
  'invalid_from_address',
  /** The process that answers has no mail server to speak to. */
  'no_transport',
  /** Reasons of one recipient. */
  'invalid_email',
  'missing_required_field',
  'render_failed',
  'rejected',
  'temporarily_rejected',
  'unreachable',
  /** The connection broke after the message had been handed over: it may have arrived. */
  'unknown',
  /** No answer in time; where the message had been handed over already, it may have arrived. */
  'timeout',
  'internal_error',
] as const;

export type TestSendReason = (typeof TEST_SEND_REASONS)[number];

export interface TestSendResult {
  /** As the caller wrote it, without white space around it. */
  readonly email: string;
  readonly outcome: 'sent' | 'failed';
  /** Null when it was sent. */
  readonly reason: TestSendReason | null;
}

export interface TestSendReport {
  readonly sentCount: number;
  /** Emails of those that were not sent it. */
  readonly failed: readonly string[];
  /** One for each recipient, in the order of the request. */
  readonly results: readonly TestSendResult[];
  readonly allAccepted: boolean;
}

export interface TestRecipient {
  readonly email: string;
  /** As it stands in the envelope; undefined when the email is malformed. */
  readonly address: string | undefined;
}

/** The recipients, each once: a repetition, also one in other letter case, is left out. */
export function recipientsOf(emails: readonly string[]): TestRecipient[] {
  const recipients = new Map<string, TestRecipient>();
  for (const text of emails) {
    const email = text.trim();
    const address = normalAddress(email);
    const key = (address ?? email).toLowerCase();
    if (!recipients.has(key)) recipients.set(key, { email, address });
  }
  return [...recipients.values()];
}

export function reportOf(results: readonly TestSendResult[]): TestSendReport {
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ email }) => email);
  return {
    sentCount: results.length - failed.length,
    failed,
    results,
    allAccepted: failed.length === 0,
  };
}

/** The result of one recipient; a reason says that it was not sent. */
export function resultOf({ email }: TestRecipient, reason: TestSendReason | null): TestSendResult {
  return { email, outcome: reason === null ? 'sent' : 'failed', reason };
}

/** The reason that an attempt which did not succeed comes to. */
export function reasonOfFailure(failed: FailedAttempt): TestSendReason {
  switch (failed.kind) {
    case 'permanent':
      return 'rejected';
    case 'temporary':
      return 'temporarily_rejected';
    case 'unreachable':
      return 'unreachable';
    case 'unknown_fate':
      return 'unknown';
  }
}

/** The subject with the marker before it. */
export function markedSubject(subject: string): string {
  return `${TEST_MARKER} ${subject}`.trimEnd();
}
