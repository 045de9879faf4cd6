/** Checks single declarations of styles: layout that email clients drop, and mistakes in writing (section 4.7, css). */
import { lexer } from 'css-tree';
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { atDeclaration, declarationsOf, type ElementDeclaration } from './element-findings.js';

const LENGTHS = new Set([
  ...['width', 'height', 'min-width', 'max-width', 'min-height', 'max-height', 'font-size', 'border-radius'],
  ...['margin', 'padding'].flatMap((name) => [
    name,
    ...['top', 'right', 'bottom', 'left'].map((s) => `${name}-${s}`),
  ]),
]);
/** Narrower than any phone in portrait orientation. */
const MAX_MIN_WIDTH_PX = 480;
/** Nonstandard properties of email clients. */
const NONSTANDARD_PROPERTY =
  /^(?:-|_|\*|mso|panose|tab-interval|v-text-anchor|text-underline|layout-grid|punctuation|behavior|filter|supported-color-schemes|font-color$)/;
/** Maximum number of characters of a value that are read. */
const MAX_VALUE_LENGTH = 1_000;

type DeclarationCheck = (property: string, value: string, declared: ElementDeclaration) => string | null;

const DECLARATION_CHECKS: readonly (readonly [RuleName, DeclarationCheck])[] = [
  [
    'css_position',
    (name, value) =>
      name === 'position' && /^(absolute|fixed|sticky)$/.test(value) ? `position:${value} is dropped.` : null,
  ],
  [
    'css_float',
    (name, value) =>
      name === 'float' && /^(left|right)$/.test(value) ? `float:${value} is ignored by Outlook.` : null,
  ],
  [
    'css_negative_margin',
    (name, value) =>
      /^margin(-|$)/.test(name) && /(?:^|\s)-(?:\d*[1-9]|\d*\.\d*[1-9])/.test(value)
        ? `${name} is negative: ${quote(value)}.`
        : null,
  ],
  [
    'css_variable_bare',
    (_name, value) =>
      /\bvar\(\s*--[\w-]{1,100}\s*\)/.test(value) ? `${quote(value)} has no fallback.` : null,
  ],
  [
    'css_important_inline',
    (name, _value, { element, declaration }) =>
      element && declaration.important ? `${name} is !important.` : null,
  ],
  [
    'min_width_wide',
    (name, value) =>
      name === 'min-width' && pixels(value) > MAX_MIN_WIDTH_PX ? `min-width is ${value}.` : null,
  ],
  [
    'css_script',
    (name, value) =>
      /\bexpression\s*\(/.test(value) || name === '-moz-binding' ? `${name} runs a script.` : null,
  ],
  [
    'colour_invalid',
    (name, value) =>
      /color$|^background$/.test(name) && isNoColour(value) ? `${quote(value)} is not a color.` : null,
  ],
  [
    'length_without_unit',
    (name, value) => (LENGTHS.has(name) && lacksUnit(value) ? `${name} has no unit: ${quote(value)}.` : null),
  ],
];

export function checkDeclarations(email: ParsedEmail): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const unknown = new Map<string, boolean>();
  for (const declared of declarationsOf(email)) {
    const { property, text } = declared.declaration;
    if (holdsExpression(property)) continue;
    const value = text.slice(0, MAX_VALUE_LENGTH).toLowerCase();
    for (const [rule, check] of holdsExpression(value) ? [] : DECLARATION_CHECKS) {
      const message = check(property, value, declared);
      if (message !== null) findings.push(atDeclaration(rule, declared, message));
    }
    if (unknown.has(property)) continue;
    const isUnknown = !NONSTANDARD_PROPERTY.test(property) && lexer.getProperty(property) === null;
    unknown.set(property, isUnknown);
    if (!isUnknown) continue;
    const message = `No mail program supports the property ${quote(property)}.`;
    findings.push({ ...atDeclaration('css_property_unknown', declared, message), target: property });
  }
  return findings;
}

function pixels(value: string): number {
  return Number(/^(\d+)(?:\.\d+)?px$/.exec(value)?.[1] ?? 0);
}

/** Only values that begin with # can be judged; other words may be colors that an email client knows. */
function isNoColour(value: string): boolean {
  const hash = /#([^\s,;)]*)/.exec(value)?.[1];
  if (hash === undefined || value.includes('(')) return false;
  return !/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(hash);
}

function lacksUnit(value: string): boolean {
  if (value.includes('(')) return false;
  return value.split(/[\s/]+/).some((part) => /^-?(?:\d+|\d*\.\d+)$/.test(part) && Number(part) !== 0);
}
