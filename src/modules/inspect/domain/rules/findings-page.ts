/** The part of docs/findings.md that the catalogue says: every rule, by category. Written by `npm run generate`. */
import { RULES } from './catalogue.js';
import { CATEGORY_LETTERS, FINDING_CATEGORIES, type FindingCategory, type Rule } from './rule.js';

const BEGIN = '<!-- what can be found: from the catalogue -->';
const END = '<!-- the end of what the catalogue says -->';

/**
 * The page with what the catalogue says between its two marks.
 * @throws Error for a page without them.
 */
export function withRules(page: string): string {
  const [before, inner, ...rest] = page.split(BEGIN);
  const [, after] = inner?.split(END) ?? [];
  if (before === undefined || after === undefined || rest.length > 0)
    throw new Error(`The page of findings needs ${BEGIN} and ${END}, each once.`);
  const rules: readonly Rule[] = Object.values(RULES);
  const sections = FINDING_CATEGORIES.map((category) => sectionOf(category, rules)).join('\n');
  return `${before}${BEGIN}\n\n${sections}\n${END}${after}`;
}

/** Lists, since cells of a table would be wider than any screen. */
function sectionOf(category: FindingCategory, rules: readonly Rule[]): string {
  const own = rules.filter((rule) => rule.category === category).sort((a, b) => (a.code < b.code ? -1 : 1));
  const head = `## \`${category}\`: ${CATEGORY_LETTERS[category]}, ${own.length} rules\n`;
  return [head, ...own.map(entryOf)].join('\n');
}

function entryOf({ code, severity, title, cause, fix, preflight }: Rule): string {
  return [
    `### ${code}: ${plain(title)}`,
    '',
    `**${severity}**, in preflight ${preflight}. ${plain(cause)}`,
    '',
    `_How to fix it:_ ${plain(fix)}`,
    '',
  ].join('\n');
}

/** What would be markup in Markdown is written so that it shows as it stands. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>~]|#$/g, (mark) => `\\${mark}`);
}
