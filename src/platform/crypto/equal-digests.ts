/** Compares digests of secrets in constant time, so that the duration reveals nothing about them. */
import { timingSafeEqual } from 'node:crypto';

/** Whether two hexadecimal digests are equal; digests of different length never are. */
export function equalDigests(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return left.length > 0 && left.length === right.length && timingSafeEqual(left, right);
}
