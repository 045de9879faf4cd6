/** The addresses that a style loads. By search: patterns read blanks around an address in many ways. */

const OPENING = /url\(/gi;
const QUOTED = /^(["'])([^"']*)\1$/;

/** What stands in each `url(…)` of a style, without its quotes and the blanks around it; what does not end is none. */
export function addressesInStyle(style: string): string[] {
  const addresses: string[] = [];
  let done = 0;
  for (const { 0: opening, index } of style.matchAll(OPENING)) {
    if (index < done) continue;
    const start = index + opening.length;
    const end = style.indexOf(')', start);
    if (end < 0) break;
    done = end;
    const inside = style.slice(start, end).trim();
    const address = QUOTED.exec(inside)?.[2] ?? inside;
    if (!/["']/.test(address)) addresses.push(address);
  }
  return addresses;
}
