/** Converts date formats of PHP, Mailchimp and Django to a Unicode date pattern. */
import { canonicalFormat } from '../nlt/format-names.js';

const DIRECTIVES: Readonly<Record<string, string>> = {
  d: 'dd',
  j: 'd',
  D: 'EEE',
  l: 'EEEE',
  m: 'MM',
  n: 'M',
  M: 'MMM',
  b: 'MMM',
  N: 'MMM',
  F: 'MMMM',
  Y: 'yyyy',
  o: 'yyyy',
  y: 'yy',
  a: 'a',
  A: 'a',
  g: 'h',
  G: 'H',
  h: 'hh',
  H: 'HH',
  i: 'mm',
  s: 'ss',
};

/** The pattern of a format; null if it has a sign without a Unicode equivalent. */
export function patternOfPhp(format: string, dialect: 'php' | 'django'): string | null {
  let isKnown = true;
  const pattern = format.replace(/((?:\\[^])+)|([a-zA-Z])|'/g, (part, escaped?: string, sign?: string) => {
    if (part === "'") return "''";
    if (escaped !== undefined) return `'${escaped.replace(/\\([^])/g, '$1').replaceAll("'", "''")}'`;
    const field = sign === 'N' && dialect === 'php' ? undefined : DIRECTIVES[sign ?? ''];
    if (field === undefined) isKnown = false;
    return field ?? '';
  });
  return isKnown && pattern.trim() !== '' ? canonicalFormat(pattern) : null;
}
