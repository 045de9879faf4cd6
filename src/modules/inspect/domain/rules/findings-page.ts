/**
 * Generates the part of docs/findings.md that comes from the catalogue: every rule, by category. `npm run generate`
 * writes it.
 */
import { RULES } from './catalogue.js';
import { CATEGORY_LETTERS, FINDING_CATEGORIES, type FindingCategory, type Rule } from './rule.js';

const BEGIN = '<!-- what can be found: from the catalogue -->';
const END = '<!-- the end of what the catalogue says -->';

/**
 * The page, with the text between its two marks replaced by that of the catalogue.
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

/** Uses lists, since a table would be wider than any screen. */
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

/** Escapes Markdown, so that the text shows as it is written. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>~]|#$/g, (mark) => `\\${mark}`);
}
