/** What the mail sink (sink-server.ts, a process of its own) is asked for and what it reports. */

export type SinkQuestion =
  | { readonly kind: 'listen' }
  /** Forgets what has come so far; each mail is answered so many milliseconds after it has come from now on. */
  | { readonly kind: 'reset'; readonly delay?: number }
  /** The Unix time in milliseconds at which a recipient's first mail came; null when none has. */
  | { readonly kind: 'arrival'; readonly recipient: string }
  /** How many mails have come so far. */
  | { readonly kind: 'count' }
  | { readonly kind: 'report' };

export interface SinkReport {
  readonly mails: number;
  /** Different recipients. */
  readonly recipients: number;
  /** Unix times in milliseconds at which the first and the last mail were taken; 0 when none was. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly bytes: number;
  readonly connections: number;
  /** One mail in each few hundred, as it came, with its recipient. */
  readonly samples: readonly { readonly recipient: string; readonly raw: string }[];
}
