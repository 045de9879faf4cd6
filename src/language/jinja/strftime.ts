/** Converts Python's date directives to a Unicode date pattern, since developers write `date("%d %B %Y")`. */
import { canonicalFormat } from '../nlt/format-names.js';

const directives: Readonly<Record<string, string>> = {
  '%Y': 'yyyy',
  '%y': 'yy',
  '%m': 'MM',
  '%-m': 'M',
  '%B': 'MMMM',
  '%b': 'MMM',
  '%d': 'dd',
  '%-d': 'd',
  '%e': 'd',
  '%A': 'EEEE',
  '%a': 'EEE',
  '%H': 'HH',
  '%-H': 'H',
  '%I': 'hh',
  '%-I': 'h',
  '%M': 'mm',
  '%S': 'ss',
  '%p': 'a',
  '%%': '%',
};

/** The Unicode pattern of a strftime format; null if it has a directive without a Unicode equivalent. */
export function datePatternOf(format: string): string | null {
  let isKnown = true;
  const pattern = format.replace(/%-?[^]|[a-zA-Z]+|'/g, (part) => {
    if (part === "'") return "''";
    if (!part.startsWith('%')) return `'${part}'`;
    const field = directives[part];
    if (field === undefined) isKnown = false;
    return field ?? '';
  });
  return isKnown ? canonicalFormat(pattern) : null;
}
