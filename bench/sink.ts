/** The requests to the mail sink (sink-server.ts, its own process) and its reports. */

export type SinkQuestion =
  | { readonly kind: 'listen' }
  /** Forgets all mails. From now on each mail is answered `delay` milliseconds after it arrives. */
  | { readonly kind: 'reset'; readonly delay?: number }
  /** The Unix time in milliseconds of a recipient's first mail; null when there is none. */
  | { readonly kind: 'arrival'; readonly recipient: string }
  /** The number of mails so far. */
  | { readonly kind: 'count' }
  | { readonly kind: 'report' };

export interface SinkReport {
  readonly mails: number;
  /** Number of distinct recipients. */
  readonly recipients: number;
  /** Unix times in milliseconds at which the first and the last mail were accepted; 0 when there was none. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly bytes: number;
  readonly connections: number;
  /** One mail in every few hundred, unchanged, with its recipient. */
  readonly samples: readonly { readonly recipient: string; readonly raw: string }[];
}
