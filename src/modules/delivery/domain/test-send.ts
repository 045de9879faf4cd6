/**
 * The result of a test email for each recipient (section 4.3, test-send). It is sent immediately and only once: there
 * is no ledger entry to retry it from.
 */
import type { TemplateLanguage } from '../../../language/language.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import { normalAddress } from './email-address.js';
import type { FailedAttempt } from './failed-attempt.js';

export const MAX_TEST_RECIPIENTS = 5;
/** The subject of a test email without one. */
export const DEFAULT_TEST_SUBJECT = 'Test email';

/** A requested test email. */
export interface TestSend {
  /** 1 to 5 texts that need not be addresses. */
  readonly toEmails: readonly string[];
  readonly subject: string;
  readonly bodyHtml: string;
  /** The pinned language of the content; detected if absent or null. */
  readonly templateLanguage?: TemplateLanguage | null;
  /** The request's sender fields. The others are the workspace's. */
  readonly sender: Sender;
}

/** Precedes the subject of every test email. */
export const TEST_MARKER = '[Test]';

/** Why a recipient did not get the test email. */
export const TEST_SEND_REASONS = [
  /** Reasons that concern the message, which then goes to no recipient. */
  'unresolved_placeholder',
  'template_errors',
  'workspace_not_live',
  'invalid_from_address',
  /** The process that answers has no mail server. */
  'no_transport',
  /** Reasons that concern one recipient. */
  'invalid_email',
  'missing_required_field',
  'render_failed',
  'rejected',
  'temporarily_rejected',
  'unreachable',
  /** The connection broke after the message was transmitted: it may have arrived. */
  'unknown',
  /** No answer in time. If the message was already transmitted, it may have arrived. */
  'timeout',
  'internal_error',
] as const;

export type TestSendReason = (typeof TEST_SEND_REASONS)[number];

export interface TestSendResult {
  /** As the caller wrote it, without surrounding white space. */
  readonly email: string;
  readonly outcome: 'sent' | 'failed';
  /** Null if it was sent. */
  readonly reason: TestSendReason | null;
}

export interface TestSendReport {
  readonly sentCount: number;
  /** Email addresses of those that did not get it. */
  readonly failed: readonly string[];
  /** One for each recipient, in the order of the request. */
  readonly results: readonly TestSendResult[];
  readonly allAccepted: boolean;
}

export interface TestRecipient {
  readonly email: string;
  /** The envelope address; undefined if the email is malformed. */
  readonly address: string | undefined;
}

/** The recipients without repetitions, also ignoring letter case. */
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

/** The result of one recipient. A reason means that it was not sent. */
export function resultOf({ email }: TestRecipient, reason: TestSendReason | null): TestSendResult {
  return { email, outcome: reason === null ? 'sent' : 'failed', reason };
}

/** The reason for a failed attempt. */
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

/** The subject after the marker. */
export function markedSubject(subject: string): string {
  return `${TEST_MARKER} ${subject}`.trimEnd();
}
