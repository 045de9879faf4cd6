/** What a job remembers of people that it has come across: digests, which say of nobody who it was. */
import { createHash } from 'node:crypto';

/**
 * `counted`: a contact, as created or updated. `out`: one who refuses mail. `address`: one that the source does not write
 * to. `listed`: one that was put on the list of suppressions, with the reason.
 */
export type SeenKind = 'counted' | 'out' | 'address' | 'listed';

/** Hexadecimal digits of a digest that are kept. */
const DIGITS = 32;

/** The key of a name in one of the kinds, for this job alone. */
export function seenKey(jobId: string, kind: SeenKind, name: string): string {
  return createHash('sha256').update(`${jobId} ${kind} ${name}`).digest('hex').slice(0, DIGITS);
}
