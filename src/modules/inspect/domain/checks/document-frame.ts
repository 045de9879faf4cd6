/** Checks the head of a document, and elements that may occur only once (section 4.7, html). */
import { holdsExpression } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import { atElement, ControlFlowOffsets, endOf, isInside } from './element-findings.js';

/** Beyond this number of elements a layout is slow: a long newsletter has some 1,500. */
const MAX_ELEMENTS = 3_000;
const SVG = new Set(['svg']);

export function checkDocumentFrame(email: ParsedEmail): RuleFinding[] {
  const controlFlow = new ControlFlowOffsets(email);
  return [
    ...checkHead(email),
    ...checkCharset(email),
    ...checkDuplicateParts(email, controlFlow),
    ...checkIds(email, controlFlow),
    ...checkElementCount(email),
  ];
}

/** Only for whole documents: a fragment has no head to complete. */
function checkHead({ elements, atRules }: ParsedEmail): RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const element of elements) {
    const { name, attributes } = element;
    if (name === 'base')
      findings.push(atElement('base_element', element, 'The document contains a <base> element.'));
    if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'refresh') {
      findings.push(atElement('meta_refresh', element, 'The document contains a page refresh.'));
    }
  }
  const head = elements.find(({ name }) => name === 'head');
  if (head?.isWritten !== true) return findings;
  // Plain text without a layout fits every width.
  const isLaidOut =
    elements.some(({ name }) => name === 'table') || atRules.some(({ name }) => name === 'media');
  if (!isLaidOut) return findings;
  const named = new Set(
    elements
      .filter(({ name }) => name === 'meta')
      .map(({ attributes }) => attributes.get('name')?.trim().toLowerCase()),
  );
  if (!named.has('viewport'))
    findings.push(atElement('viewport_missing', head, 'The head does not set a viewport.'));
  if (!named.has('x-apple-disable-message-reformatting')) {
    const message = 'The head does not contain x-apple-disable-message-reformatting.';
    findings.push(atElement('apple_reformatting', head, message));
  }
  return findings;
}

function checkCharset({ elements }: ParsedEmail): RuleFinding[] {
  const findings: RuleFinding[] = [];
  for (const element of elements) {
    if (element.name !== 'meta') continue;
    const content = /charset\s*=\s*["']?([\w-]+)/i.exec(
      element.attributes.get('content')?.slice(0, 200) ?? '',
    );
    const charset = (element.attributes.get('charset') ?? content?.[1] ?? '').trim();
    if (charset === '' || /^utf-?8$/i.test(charset) || holdsExpression(charset)) continue;
    const message = `The document declares the encoding ${quote(charset)}, but messages are sent in UTF-8.`;
    findings.push(atElement('charset_contradicts', element, message));
  }
  return findings;
}

function checkDuplicateParts(email: ParsedEmail, controlFlow: ControlFlowOffsets): RuleFinding[] {
  const { html, comments, elements } = email;
  const findings: RuleFinding[] = [];
  const first = new Map<string, number>();
  let next = 0;
  for (const { 1: part = '', index } of html.matchAll(/<(html|head|body)(?=[\s>])/gi)) {
    while ((comments[next]?.end ?? Infinity) <= index) next++;
    if ((comments[next]?.offset ?? Infinity) <= index) continue;
    const name = part.toLowerCase();
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else if (!controlFlow.anyBetween(before, index)) {
      const until = endOf(html, index);
      findings.push({
        rule: 'document_part_twice',
        message: `There is a second <${name}>.`,
        at: index,
        until,
      });
    }
  }
  const titles = elements.filter((element) => element.name === 'title' && !isInside(element, SVG));
  for (const [index, title] of titles.entries()) {
    const before = titles[index - 1];
    if (!before || controlFlow.anyBetween(before.offset, title.offset)) continue;
    findings.push(atElement('document_part_twice', title, 'There is a second <title>.'));
  }
  return findings;
}

function checkIds({ elements }: ParsedEmail, controlFlow: ControlFlowOffsets): RuleFinding[] {
  const first = new Map<string, EmailElement>();
  const findings: RuleFinding[] = [];
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id === undefined || id.trim() === '' || holdsExpression(id)) continue;
    const before = first.get(id);
    if (!before) first.set(id, element);
    else if (!controlFlow.anyBetween(before.offset, element.offset)) {
      findings.push(
        atElement('id_twice', element, `The ID ${quote(id)} is already used by an earlier element.`),
      );
    }
  }
  return findings;
}

function checkElementCount({ elements }: ParsedEmail): RuleFinding[] {
  if (elements.length <= MAX_ELEMENTS) return [];
  return [{ rule: 'elements_many', message: `There are ${elements.length} elements.`, at: null }];
}
