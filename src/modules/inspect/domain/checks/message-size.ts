/** Examines the size of the body: Gmail shows the first 102 KB of a message and hides the rest behind a link. */
import type { RuleFinding } from '../findings/finding.js';

/** Bytes of HTML behind which Gmail clips a message. */
export const GMAIL_CLIPS_AT = 102 * 1024;
/** Share of the limit from which on the author is told. */
const NEAR = 0.9;

/** @param isRendered whether values are filled in. */
export function checkSize(html: string, isRendered = false): RuleFinding[] {
  const size = Buffer.byteLength(html);
  const when = isRendered ? '' : ' before values are filled in';
  const message = `The body has ${kilobytes(size)} KB${when}; Gmail clips a message at 102 KB.`;
  if (size > GMAIL_CLIPS_AT) return [{ rule: 'size_clipped', message, at: null }];
  if (size > GMAIL_CLIPS_AT * NEAR) return [{ rule: 'size_near_limit', message, at: null }];
  return [];
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
