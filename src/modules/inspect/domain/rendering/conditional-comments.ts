/**
 * Applies conditional comments, as Outlook for Windows does: `<!--[if mso]>…<![endif]-->`, and those around what all
 * others show, `<!--[if !mso]><!-->…<!--<![endif]-->`. Removed text is blanked, so that offsets do not change.
 */

/** The version of Word with which Outlook shows messages. */
const WORD = 16;
const LONGEST_CONDITION = 200;
const DEEPEST = 20;

/** The beginnings of conditions of both kinds, and their ends. */
const MARK = /<!(?:--)?\[if ([^\]]{1,200})\]>(?:<!-->|-->)?|(?:<!--)?<!\[endif\](?:--)?>/gi;

/**
 * The HTML as Outlook for Windows reads it, at the same length. Unterminated conditions are reported for the source.
 */
export function withConditionals(html: string): string {
  const parts: string[] = [];
  /** Whether the content of each open condition is shown. */
  const open: boolean[] = [];
  let reached = 0;
  const shown = (): boolean => open.every(Boolean);
  const copy = (to: number): void => {
    const text = html.slice(reached, to);
    parts.push(shown() ? text : blanked(text));
    reached = to;
  };
  for (const match of html.matchAll(MARK)) {
    copy(match.index);
    const [mark, condition] = match;
    if (condition === undefined) open.pop();
    else open.push(holds(condition));
    parts.push(blanked(mark));
    reached = match.index + mark.length;
  }
  // An unterminated condition would hide all that follows; it is ignored.
  open.length = 0;
  copy(html.length);
  return parts.join('');
}

function blanked(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}

/** Whether a condition holds for Outlook: terms such as `mso`, `gte mso 9`, `!mso`, with `&`, `|` and brackets. */
export function holds(condition: string): boolean {
  const words =
    condition
      .toLowerCase()
      .slice(0, LONGEST_CONDITION)
      .match(/[()&|!]|[^\s()&|!]+/g) ?? [];
  let at = 0;
  const either = (depth: number): boolean => {
    let value = both(depth);
    while (words[at] === '|') {
      at++;
      const other = both(depth);
      value ||= other;
    }
    return value;
  };
  const both = (depth: number): boolean => {
    let value = one(depth);
    while (words[at] === '&') {
      at++;
      const other = one(depth);
      value &&= other;
    }
    return value;
  };
  const one = (depth: number): boolean => {
    if (depth > DEEPEST) return false;
    const word = words[at++];
    if (word === '!') return !one(depth + 1);
    if (word === '(') {
      const value = either(depth + 1);
      if (words[at] === ')') at++;
      return value;
    }
    const compares = word !== undefined && /^(gte?|lte?)$/.test(word);
    const program = compares ? words[at++] : word;
    if (program === 'true' || program === 'vml') return true;
    if (program !== 'mso') return false;
    const version = /^[\d.]+$/.test(words[at] ?? '') ? Number(words[at++]) : null;
    return version === null || compare(compares ? word : 'eq', version);
  };
  return either(0);
}

function compare(how: string, version: number): boolean {
  switch (how) {
    case 'gt':
      return WORD > version;
    case 'gte':
      return WORD >= version;
    case 'lt':
      return WORD < version;
    case 'lte':
      return WORD <= version;
    default:
      return version === WORD;
  }
}
