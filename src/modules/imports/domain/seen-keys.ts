/**
 * The keys under which a job remembers contacts and addresses that it has seen: digests that do not reveal the
 * person.
 */
import { createHash } from 'node:crypto';

/**
 * `counted`: a contact that was counted as created or updated. `out`: one that has opted out. `address`: an address
 * that the source does not write to. `listed`: an address that was added to the suppression list, with the reason.
 */
export type SeenKind = 'counted' | 'out' | 'address' | 'listed';

/** Hexadecimal digits of a digest that are stored. */
const DIGITS = 32;

/** The key of a name in one of the kinds, valid for this job only. */
export function seenKey(jobId: string, kind: SeenKind, name: string): string {
  return createHash('sha256').update(`${jobId} ${kind} ${name}`).digest('hex').slice(0, DIGITS);
}
