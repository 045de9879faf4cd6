/**
 * The result of one attempt to reach a platform, and what follows from it. Only our own texts are used, since a
 * platform's text may repeat a key.
 */
import type { OutboundReason } from '../../../platform/outbound/outbound-error.js';
import {
  AnswerTooLarge,
  RetryLaterError,
  type SourceAnswer,
  SourceFailure,
} from '../domain/import-source.js';

type Headers = SourceAnswer['headers'];

export type Attempt<Result> =
  | { readonly result: Result }
  /** The platform asks for a pause, or our own limit of outbound work is reached. */
  | { readonly refusal: Headers }
  | { readonly failure: string; readonly headers: Headers };

export const UNREADABLE_RESPONSE = 'A response of the platform was truncated or cannot be read.';

/** Milliseconds after which a job continues that was interrupted by the end of its process. */
const SHUTDOWN_RETRY_MS = 1_000;

/** Transient errors that are worth a retry. */
const TRANSIENT_ERRORS: Readonly<Partial<Record<OutboundReason, string>>> = {
  dns_failed: "The platform's host could not be resolved.",
  connect_failed: 'The connection to the platform failed.',
  tls_failed: 'No secure connection to the platform could be established.',
  timeout: 'The platform did not respond in time.',
  bad_answer: UNREADABLE_RESPONSE,
};

const PERMANENT_ERRORS: Readonly<Partial<Record<OutboundReason, string>>> = {
  bad_address: 'The platform returned an invalid URL.',
  refused_scheme: 'The platform returned a URL with an unsupported scheme.',
  refused_port: 'The platform returned a URL with a port that is not allowed.',
  refused_private: 'The platform returned a host that is not on the public internet.',
  too_many_redirects: 'The platform redirects too often.',
};

/**
 * What follows if there was no answer.
 * @throws SourceFailure if a retry is useless; RetryLaterError if the process ends.
 */
export function afterOutboundError(reason: OutboundReason): Attempt<never> {
  if (reason === 'busy') return { refusal: {} };
  if (reason === 'aborted') throw new RetryLaterError(SHUTDOWN_RETRY_MS);
  if (reason === 'too_large') throw new AnswerTooLarge();
  const permanent = PERMANENT_ERRORS[reason];
  if (permanent !== undefined) throw new SourceFailure('platform_unavailable', permanent);
  return { failure: TRANSIENT_ERRORS[reason] ?? 'The platform did not respond.', headers: {} };
}

/** Whether a status calls for a retry; undefined if it does not. */
export function afterStatus(status: number, headers: Headers): Attempt<never> | undefined {
  if (status === 429) return { refusal: headers };
  if (status < 500 && status !== 408) return undefined;
  return { failure: `The platform answered with status ${status}.`, headers };
}

export function credentialsRejected(): SourceFailure {
  return new SourceFailure('invalid_credentials', 'The platform rejects the credentials.');
}
