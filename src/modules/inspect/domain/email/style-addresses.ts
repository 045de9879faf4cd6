/**
 * Extracts the addresses that a style loads. Uses plain searches: a pattern could match the blanks around an address in
 * many ways, which is slow.
 */

const OPENING = /url\(/gi;
const QUOTED = /^(["'])([^"']*)\1$/;

/**
 * The content of each `url(…)` of a style, without its quotes and the blanks around it; an unterminated one is skipped.
 */
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
