/**
 * Applies conditional comments, as Outlook for Windows does: `<!--[if mso]>…<![endif]-->`, and those around what all
 * others show, `<!--[if !mso]><!-->…<!--<![endif]-->`. Removed text is blanked, so that offsets do not change.
 */

/** The version of Word with which Outlook shows messages. */
const WORD_VERSION = 16;
const MAX_CONDITION_LENGTH = 200;
const MAX_DEPTH = 20;

/** The beginnings of conditions of both kinds, and their ends. */
const CONDITION = /<!(?:--)?\[if ([^\]]{1,200})\]>(?:<!-->|-->)?|(?:<!--)?<!\[endif\](?:--)?>/gi;

/**
 * The HTML as Outlook for Windows reads it, at the same length. Unterminated conditions are reported for the source.
 */
export function withConditionals(html: string): string {
  const parts: string[] = [];
  /** Whether the content of each open condition is shown. */
  const open: boolean[] = [];
  let position = 0;
  const isShown = (): boolean => open.every(Boolean);
  const copy = (to: number): void => {
    const text = html.slice(position, to);
    parts.push(isShown() ? text : blanked(text));
    position = to;
  };
  for (const match of html.matchAll(CONDITION)) {
    copy(match.index);
    const [mark, condition] = match;
    if (condition === undefined) open.pop();
    else open.push(conditionHolds(condition));
    parts.push(blanked(mark));
    position = match.index + mark.length;
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
export function conditionHolds(condition: string): boolean {
  const tokens =
    condition
      .toLowerCase()
      .slice(0, MAX_CONDITION_LENGTH)
      .match(/[()&|!]|[^\s()&|!]+/g) ?? [];
  let position = 0;
  const parseOr = (depth: number): boolean => {
    let value = parseAnd(depth);
    while (tokens[position] === '|') {
      position++;
      const other = parseAnd(depth);
      value ||= other;
    }
    return value;
  };
  const parseAnd = (depth: number): boolean => {
    let value = parseTerm(depth);
    while (tokens[position] === '&') {
      position++;
      const other = parseTerm(depth);
      value &&= other;
    }
    return value;
  };
  const parseTerm = (depth: number): boolean => {
    if (depth > MAX_DEPTH) return false;
    const token = tokens[position++];
    if (token === '!') return !parseTerm(depth + 1);
    if (token === '(') {
      const value = parseOr(depth + 1);
      if (tokens[position] === ')') position++;
      return value;
    }
    const compares = token !== undefined && /^(gte?|lte?)$/.test(token);
    const program = compares ? tokens[position++] : token;
    if (program === 'true' || program === 'vml') return true;
    if (program !== 'mso') return false;
    const version = /^[\d.]+$/.test(tokens[position] ?? '') ? Number(tokens[position++]) : null;
    return version === null || compare(compares ? token : 'eq', version);
  };
  return parseOr(0);
}

function compare(operator: string, version: number): boolean {
  switch (operator) {
    case 'gt':
      return WORD_VERSION > version;
    case 'gte':
      return WORD_VERSION >= version;
    case 'lt':
      return WORD_VERSION < version;
    case 'lte':
      return WORD_VERSION <= version;
    default:
      return version === WORD_VERSION;
  }
}
