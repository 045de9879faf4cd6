/** Placeholder ids for contacts of whom only the name is known; the same in every run. */
import { createHash } from 'node:crypto';

/** A UUID derived from the application's identifier for the contact. */
export function placeholderId(externalId: string): string {
  const digits = createHash('sha256').update(externalId).digest('hex');
  return (
    `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-` +
    `a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  );
}
