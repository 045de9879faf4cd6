/** Checks the size of a message as it is sent: Gmail shows the first 102 KB and hides the rest behind a link. */
import type { SentAdditions } from '../../../delivery/domain/sent-additions.js';
import { sentBytes } from '../../../delivery/domain/sent-size.js';
import type { RuleFinding } from '../findings/finding.js';

/** Gmail clips a message after this number of bytes of HTML. */
export const GMAIL_CLIP_BYTES = 102 * 1024;
/** The share of the limit from which a finding is reported. */
const WARNING_SHARE = 0.9;

/**
 * @param bodyHtml the source. The rendering of a template that shows one of several parts may be smaller.
 * @param rendered the rendering; null if it does not render.
 * @param additions what delivery adds; null for nothing.
 */
export function checkSize(
  bodyHtml: string,
  rendered: string | null = null,
  additions: SentAdditions | null = null,
): RuleFinding[] {
  const size = Math.max(
    sentBytes(bodyHtml, additions),
    rendered === null ? 0 : sentBytes(rendered, additions),
  );
  const added = addedTo(additions);
  const message = `The body has ${kilobytes(size)} KB${added}; Gmail clips a message at 102 KB.`;
  if (size > GMAIL_CLIP_BYTES) return [{ rule: 'size_clipped', message, at: null }];
  if (size > GMAIL_CLIP_BYTES * WARNING_SHARE) return [{ rule: 'size_near_limit', message, at: null }];
  return [];
}

function addedTo(additions: SentAdditions | null): string {
  if (!additions) return '';
  const { clicks, opens } = additions.tracked;
  const parts = [...(clicks ? ['tracked links'] : []), 'footer', ...(opens ? ['tracking pixel'] : [])];
  return ` when sent with ${parts.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`;
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
