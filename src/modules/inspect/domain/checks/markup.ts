/**
 * Checks the frame of the document and for elements that do not belong in email (section 4.3, preflight: content and
 * accessibility).
 */
import type { RuleFinding } from '../findings/finding.js';
import { quote } from '../findings/finding.js';
import { textIn, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';

const FORBIDDEN_ELEMENTS = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'applet',
  'frame',
  'frameset',
  'portal',
  'fencedframe',
]);
/** Maximum number of characters of <style> elements that Gmail reads in one message. */
const GMAIL_MAX_STYLE_LENGTH = 16 * 1024;

export function checkMarkup(email: ParsedEmail): RuleFinding[] {
  return [...email.elements.flatMap(checkElement), ...checkFrame(email), ...checkStyleLength(email)];
}

function checkElement(element: EmailElement): RuleFinding[] {
  const { name, attributes, offset: offset, end: until } = element;
  const findings: RuleFinding[] = [];
  const isData =
    name === 'script' && /^application\/(ld\+)?json$/i.test(attributes.get('type')?.trim() ?? '');
  if (isData) {
    const message = 'The message contains structured data.';
    findings.push({ rule: 'structured_data', message, at: offset, until });
  } else if (FORBIDDEN_ELEMENTS.has(name)) {
    findings.push({
      rule: 'element_forbidden',
      message: `<${name}> does not work in email.`,
      at: offset,
      until,
    });
  }
  const href = name === 'form' ? attributes.get('action') : undefined;
  if (href !== undefined && /^\s*javascript:/i.test(href)) {
    findings.push({ rule: 'link_dangerous', message: 'A form runs a script.', at: offset, until });
  }
  for (const attribute of attributes.keys()) {
    if (!/^on[a-z]{3,30}$/.test(attribute)) continue;
    const message = `The attribute ${quote(attribute)} runs a script.`;
    findings.push({ rule: 'script_attribute', message, at: offset, until });
  }
  return findings;
}

function checkFrame(email: ParsedEmail): RuleFinding[] {
  const html = email.elements.find(({ name }) => name === 'html');
  const titled = email.elements.some((element) => element.name === 'title' && textIn(element).trim() !== '');
  const metas = email.elements.filter(({ name }) => name === 'meta');
  const hasCharset = metas.some(
    ({ attributes }) =>
      attributes.has('charset') || /charset=/i.test(attributes.get('content')?.slice(0, 200) ?? ''),
  );
  const findings: RuleFinding[] = [];
  const report = (rule: RuleFinding['rule'], message: string): void => {
    const position = html?.isWritten === true ? { at: html.offset, until: html.end } : { at: null };
    findings.push({ rule, message, ...position });
  };
  if (!email.hasDoctype) report('doctype_missing', 'The document has no doctype.');
  if (!hasCharset) report('charset_missing', 'The document does not declare its character encoding.');
  if ((html?.attributes.get('lang') ?? '').trim() === '')
    report('lang_missing', 'The document does not declare its language.');
  if (!titled) report('title_missing', 'The document has no title.');
  return findings;
}

function checkStyleLength({ styleLength, elements }: ParsedEmail): RuleFinding[] {
  if (styleLength <= GMAIL_MAX_STYLE_LENGTH) return [];
  const first = elements.find(({ name }) => name === 'style');
  const position = first ? { at: first.offset, until: first.end } : { at: null };
  const message = `The <style> elements have ${(styleLength / 1024).toFixed(1)} KB; Gmail drops what exceeds 16 KB.`;
  return [{ rule: 'css_dropped_by_gmail', message, ...position }];
}
