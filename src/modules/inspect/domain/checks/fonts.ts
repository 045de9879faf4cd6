/**
 * Checks lists of font families: each needs fonts that readers have, and a generic one at the end (section 4.7, css).
 */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import { atDeclaration, declarationsOf, type ElementDeclaration } from './element-findings.js';

const GENERIC = new Set(
  'serif sans-serif monospace cursive fantasy system-ui ui-serif ui-sans-serif ui-monospace ui-rounded emoji math'.split(
    ' ',
  ),
);
/** Keywords that refer to another list. */
const INHERITED = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer']);
/** Installed on nearly every computer and phone. */
const COMMON = new Set([
  ...['arial', 'arial black', 'helvetica', 'verdana', 'tahoma', 'trebuchet ms', 'georgia', 'times', 'impact'],
  ...['times new roman', 'courier', 'courier new', 'palatino', 'garamond', 'geneva', 'lucida sans unicode'],
]);

interface Use {
  readonly declared: ElementDeclaration;
  count: number;
}

/** Each list once, with the number of its uses: tables repeat it in every cell. */
export function checkFonts(email: ParsedEmail): RuleFinding[] {
  const uses = new Map<string, Use>();
  for (const declared of declarationsOf(email)) {
    const { property, text } = declared.declaration;
    if (property !== 'font-family' || text.length > 1_000 || holdsExpression(text)) continue;
    if (/\bvar\(/i.test(text)) continue;
    const use = uses.get(text.toLowerCase());
    if (use) use.count++;
    else uses.set(text.toLowerCase(), { declared, count: 1 });
  }
  return [...uses].flatMap(([list, { declared, count }]): RuleFinding[] => {
    const families = list.split(',').map((family) => family.trim().replace(/^["']|["']$/g, ''));
    const [first = ''] = families;
    if (families.some((family) => GENERIC.has(family)) || INHERITED.has(first) || first === '') return [];
    const isOnlyFont = families.length === 1 && !COMMON.has(first);
    const rule = isOnlyFont ? 'font_fallback_missing' : 'font_generic_missing';
    const times = count > 1 ? ` (${count} times)` : '';
    const message = `The fonts ${quote(list)}${times} ${isOnlyFont ? 'have no fallback' : 'do not end with a generic family'}.`;
    return [{ ...atDeclaration(rule, declared, message), target: list }];
  });
}
