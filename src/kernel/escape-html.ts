/** Escapes text for HTML content and quoted attributes. */

/** Escapes a text. A loop over character codes is faster than a regular expression on short texts. */
export function escapeHtml(text: string): string {
  let escaped = '';
  let done = 0;
  for (let index = 0; index < text.length; index++) {
    const entity = entityOf(text.charCodeAt(index));
    if (entity === '') continue;
    escaped += text.slice(done, index) + entity;
    done = index + 1;
  }
  return done === 0 ? text : escaped + text.slice(done);
}

/** The entity of a character code; empty if the character needs none. */
export function entityOf(code: number): string {
  if (code > 62) return '';
  switch (code) {
    case 34:
      return '&quot;';
    case 38:
      return '&amp;';
    case 39:
      return '&#39;';
    case 60:
      return '&lt;';
    case 62:
      return '&gt;';
    default:
      return '';
  }
}
