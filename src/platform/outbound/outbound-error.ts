/** Why an address that a caller named was not fetched: a closed list, so that whoever asks can say it in its own words. */

export type OutboundReason =
  /** It is no address, or too long for one. */
  | 'bad_address'
  | 'refused_scheme'
  | 'refused_port'
  /** It leads to an address that is not of the public internet. */
  | 'refused_private'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  /** What came is no HTTP, or ended within. */
  | 'bad_answer'
  /** There is more of such work than this process does. */
  | 'busy'
  | 'aborted';

/** A redirect that was followed, or refused. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  /** The redirects on whose end it happened, in their order. */
  redirects: readonly Redirect[] = [];

  /** @param detail for logs; it may name hosts and addresses. */
  constructor(
    readonly reason: OutboundReason,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
