/**
 * Checks what a message declares for dark mode, and colors that only work together in light mode (section 4.7,
 * dark_mode).
 */
import type { RuleFinding } from '../findings/finding.js';
import { holdsExpression } from '../email/blanked-source.js';
import { isElement, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { atElement, styleOf } from './element-findings.js';

const COLOUR_PROPERTY = /^(?:color|background|background-color|border-color|fill|-webkit-text-fill-color)$/;

export function checkDarkMode(email: ParsedEmail): RuleFinding[] {
  return [...checkDeclared(email), ...checkDarkRules(email), ...checkPairs(email)];
}

/** Only for whole documents: a fragment has no head for the declaration. */
function checkDeclared(email: ParsedEmail): RuleFinding[] {
  const head = email.elements.find(({ name }) => name === 'head');
  if (head?.isWritten !== true) return [];
  const metas = new Map(
    email.elements
      .filter(({ name }) => name === 'meta')
      .map((element) => [element.attributes.get('name')?.trim().toLowerCase(), element]),
  );
  const scheme = metas.get('color-scheme');
  const supported = metas.get('supported-color-schemes');
  if (!scheme && !supported) {
    const bySheet = email.rules.some(({ declarations }) =>
      declarations.some(({ property }) => property === 'color-scheme'),
    );
    if (bySheet) return [];
    return [atElement('color_scheme_missing', head, 'The head does not declare color-scheme.')];
  }
  const findings: RuleFinding[] = [];
  const one = scheme ?? supported ?? head;
  if (!scheme || !supported) {
    const missing = scheme ? 'supported-color-schemes' : 'color-scheme';
    findings.push(atElement('color_scheme_halved', one, `The head does not declare ${missing}.`));
  }
  const content = (one.attributes.get('content') ?? '').toLowerCase().slice(0, 200);
  if (/\bonly\b/.test(content)) {
    findings.push(atElement('dark_forbidden', one, 'The message disables dark mode.'));
  }
  if (/\bdark\b/.test(content) && !email.rules.some(({ dark }) => dark)) {
    findings.push(
      atElement(
        'dark_declared_unstyled',
        one,
        'The head declares dark mode, but there are no styles for it.',
      ),
    );
  }
  return findings;
}

function checkDarkRules({ rules, inline }: ParsedEmail): RuleFinding[] {
  const dark = rules.filter((rule) => rule.dark);
  const [first] = dark;
  if (!first) return [];
  const findings: RuleFinding[] = [];
  // A property that no style attribute sets cannot be overridden by one.
  const set = new Set(
    [...inline.values()].flatMap((declarations) => declarations.map(({ property }) => property)),
  );
  for (const { property, important, offset: offset, end: until } of dark.flatMap(
    ({ declarations }) => declarations,
  )) {
    const isOverridden =
      set.has(property) ||
      (property.startsWith('background') && (set.has('background') || set.has('background-color')));
    if (important || !isOverridden || !COLOUR_PROPERTY.test(property)) continue;
    const message = `${property} for dark mode is not !important.`;
    findings.push({ rule: 'dark_rule_weak', message, at: offset, until });
  }
  const forOutlook = rules.some(({ selectors }) =>
    selectors.some(({ children }) =>
      children.some((part) => part.type === 'AttributeSelector' && /^data-ogs[bc]$/i.test(part.name.name)),
    ),
  );
  if (!forOutlook) {
    const message = 'The dark mode styles do not apply in Outlook.';
    findings.push({
      rule: 'dark_outlook_missing',
      message,
      at: first.offset,
      target: 'dark_outlook_missing',
    });
  }
  return findings;
}

interface Colours {
  readonly text: boolean;
  readonly background: boolean;
}

/** If a style sheet sets one of the two, the elements it applies to are not traced, so nothing is reported. */
function checkPairs(email: ParsedEmail): RuleFinding[] {
  const bySheet = (pattern: RegExp): boolean =>
    email.rules.some(
      ({ dark, declarations }) => !dark && declarations.some(({ property }) => pattern.test(property)),
    );
  const textBySheet = bySheet(/^color$/);
  const backgroundBySheet = bySheet(/^background(?:-color)?$/);
  const hasDark = email.rules.some(({ dark }) => dark);
  const seen = new Map<EmailElement, Colours>();
  const findings: RuleFinding[] = [];
  const report = (rule: RuleName, element: EmailElement, what: string): void => {
    findings.push(atElement(rule, element, `<${element.name}> has ${what}.`));
  };
  for (const element of email.elements) {
    const inherited = (element.parent && seen.get(element.parent)) ?? {
      text: textBySheet,
      background: backgroundBySheet,
    };
    const own = coloursOf(email, element);
    seen.set(element, {
      text: inherited.text || own.text,
      background: inherited.background || own.background,
    });
    if (holdsExpression([...element.attributes.keys()].join(''))) continue;
    const hasText = element.children.some((child) => !isElement(child) && child.text.trim() !== '');
    if (own.text && !own.background && !inherited.background && hasText) {
      report('colour_without_ground', element, 'a text color but no background color behind it');
    }
    if (own.background && !own.text && !inherited.text && hasText) {
      report('ground_without_colour', element, 'a background color but no text color');
    }
    if (hasDark && element.attributes.has('bgcolor') && !hasStyledBackground(email, element)) {
      report('ground_by_attribute', element, 'its background color only in bgcolor');
    }
  }
  return findings;
}

function hasStyledBackground(email: ParsedEmail, element: EmailElement): boolean {
  return ['background', 'background-color'].some(
    (property) => styleOf(email, element, property) !== undefined,
  );
}

function coloursOf(email: ParsedEmail, element: EmailElement): Colours {
  const { name, attributes } = element;
  const text =
    styleOf(email, element, 'color') !== undefined ||
    (name === 'font' && attributes.has('color')) ||
    (name === 'body' && attributes.has('text'));
  return {
    text,
    background:
      hasStyledBackground(email, element) || attributes.has('bgcolor') || attributes.has('background'),
  };
}
