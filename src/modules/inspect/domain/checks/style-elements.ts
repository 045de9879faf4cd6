/**
 * Checks style sheets as Gmail and other clients read them, for what makes them drop a whole sheet (section 4.7, css).
 */
import { quote, type RuleFinding } from '../findings/finding.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import { atElement, endOf, isInside } from './element-findings.js';

/** Maximum number of characters of one <style> element that Gmail reads. */
const GMAIL_MAX_ELEMENT_LENGTH = 8_192;
const UNITLESS = /\(\s*(?:min-|max-)?(?:device-)?(?:width|height)\s*:\s*(?:\d+(?:\.\d*)?|\.\d+)\s*\)/i;
const BODY = new Set(['body']);

export function checkStyleElements(email: ParsedEmail): RuleFinding[] {
  return [...checkLinked(email), ...checkElements(email), ...checkAtRules(email), ...checkSelectors(email)];
}

/** Skips sheets of fonts: they are decoration, and the fallback fonts replace them. */
function checkLinked({ elements }: ParsedEmail): RuleFinding[] {
  return elements
    .filter(({ name, attributes }) => {
      const isSheet = name === 'link' && /\bstylesheet\b/i.test(attributes.get('rel')?.slice(0, 100) ?? '');
      return (
        isSheet && !/\/\/(?:[\w-]+\.)*fonts?\.|typekit/i.test(attributes.get('href')?.slice(0, 300) ?? '')
      );
    })
    .map((element) => atElement('css_external', element, 'The message links to a style sheet.'));
}

function checkElements({ styles }: ParsedEmail): RuleFinding[] {
  return styles.flatMap(({ element, length }): RuleFinding[] => {
    const inBody = isInside(element, BODY)
      ? [atElement('style_in_body', element, 'A <style> element is in the body.')]
      : [];
    if (length <= GMAIL_MAX_ELEMENT_LENGTH) return inBody;
    const message = `A <style> element has ${length} characters; Gmail reads at most ${GMAIL_MAX_ELEMENT_LENGTH}.`;
    return [...inBody, atElement('style_long', element, message)];
  });
}

function checkAtRules({ atRules, source }: ParsedEmail): RuleFinding[] {
  return atRules.flatMap(({ name, prelude, nested, offset: offset }): RuleFinding[] => {
    const text = `@${name} ${prelude}`.trim();
    const position = { at: offset, until: endOf(source, offset, '{') };
    const findings: RuleFinding[] = [];
    if (name === 'import') {
      const end = offset + text.length;
      const message = `The CSS imports a style sheet: ${quote(text)}.`;
      findings.push({ rule: 'css_import', message, at: offset, until: end });
    }
    if (nested) {
      findings.push({
        rule: 'style_nested_at_rule',
        message: `${quote(text)} is nested in an at-rule.`,
        ...position,
      });
    }
    if (name !== 'media') return findings;
    if (UNITLESS.test(prelude.slice(0, 1_000)) && !/:\s*0\s*\)/.test(prelude.slice(0, 1_000))) {
      findings.push({
        rule: 'media_query_unit',
        message: `${quote(text)} has a width without a unit.`,
        ...position,
      });
    }
    if (/device-(?:width|height)/i.test(prelude)) {
      findings.push({
        rule: 'media_device_width',
        message: `${quote(text)} queries the device width.`,
        ...position,
      });
    }
    return findings;
  });
}

function checkSelectors({ rules }: ParsedEmail): RuleFinding[] {
  return rules
    .filter(({ selectors }) =>
      selectors.some(({ children: [first, second] }) => {
        return first?.type === 'TypeSelector' && first.name === '*' && second === undefined;
      }),
    )
    .map(({ offset: offset }) => ({
      rule: 'selector_universal',
      message: 'A rule applies to every element.',
      at: offset,
      until: offset + 1,
    }));
}
