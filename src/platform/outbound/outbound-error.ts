/** Why a URL that a caller named was not fetched: a closed list, so that each caller can use its own message. */

export type OutboundReason =
  /** Not a URL, or too long. */
  | 'bad_address'
  | 'refused_scheme'
  | 'refused_port'
  /** It resolves to an address that is not public. */
  | 'refused_private'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  /** The response is not valid HTTP, or is truncated. */
  | 'bad_answer'
  /** The process has too much such work. */
  | 'busy'
  | 'aborted';

/** A redirect that was followed, or rejected. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  /** The redirects that led to the failure, in order. */
  redirects: readonly Redirect[] = [];

  /** @param detail for logs; may contain hosts and addresses. */
  constructor(
    readonly reason: OutboundReason,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
