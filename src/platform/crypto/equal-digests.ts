/** Comparison of secrets' digests in constant time: how long it takes tells nothing of where they differ. */
import { timingSafeEqual } from 'node:crypto';

/** Whether two hexadecimal digests are the same; digests of unequal length never are. */
export function equalDigests(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return left.length > 0 && left.length === right.length && timingSafeEqual(left, right);
}
