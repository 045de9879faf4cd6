/** What became of one try to reach a platform, and what follows from it. Texts are ours alone: a platform's may repeat a key. */
import type { OutboundReason } from '../../../platform/outbound/outbound-error.js';
import { AnswerTooLarge, ComeBackLater, type SourceAnswer, SourceFailure } from '../domain/import-source.js';

type Headers = SourceAnswer['headers'];

export type Attempt<Result> =
  | { readonly result: Result }
  /** The platform asks for a pause, or there is too much to do for us. */
  | { readonly refusal: Headers }
  | { readonly failure: string; readonly headers: Headers };

export const BROKEN_OFF = 'An answer of the platform broke off, or could not be read.';

/** Milliseconds after which a job goes on that was interrupted because its process ends. */
const AFTER_THE_END = 1_000;

/** What passes, perhaps, and is worth a repetition. */
const PASSING: Readonly<Partial<Record<OutboundReason, string>>> = {
  dns_failed: "The platform's host could not be looked up.",
  connect_failed: "The platform's host could not be connected to.",
  tls_failed: 'No secure connection to the platform could be made.',
  timeout: 'The platform did not answer in time.',
  bad_answer: BROKEN_OFF,
};

const LASTING: Readonly<Partial<Record<OutboundReason, string>>> = {
  bad_address: 'The platform named an address that is none.',
  refused_scheme: 'The platform named an address that is not of the web.',
  refused_port: 'The platform named a port that is not of the web.',
  refused_private: 'The platform named a host that is not of the public internet.',
  too_many_redirects: 'The platform redirects without end.',
};

/**
 * What follows where there was no answer.
 * @throws SourceFailure where a repetition is of no use; ComeBackLater where the process ends.
 */
export function unreached(reason: OutboundReason): Attempt<never> {
  if (reason === 'busy') return { refusal: {} };
  if (reason === 'aborted') throw new ComeBackLater(AFTER_THE_END);
  if (reason === 'too_large') throw new AnswerTooLarge();
  const lasting = LASTING[reason];
  if (lasting !== undefined) throw new SourceFailure('platform_unavailable', lasting);
  return { failure: PASSING[reason] ?? 'The platform did not answer.', headers: {} };
}

/** What a status says of trying again; undefined where it says nothing of it. */
export function afterStatus(status: number, headers: Headers): Attempt<never> | undefined {
  if (status === 429) return { refusal: headers };
  if (status < 500 && status !== 408) return undefined;
  return { failure: `The platform answered with status ${status}.`, headers };
}

export function unaccepted(): SourceFailure {
  return new SourceFailure('invalid_credentials', 'The platform does not accept the credentials.');
}
