/** Completes the frame of a document: its doctype, its character set, its title and its language. */
import { holdsExpression } from '../email/blanked-source.js';
import { isInside } from '../checks/element-findings.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { SourceEdit } from '../findings/finding.js';
import { asHtml } from './fix-texts.js';

const PARAGRAPH: ReadonlySet<string> = new Set(['p']);
/** Maximum number of characters of a title. */
const MAX_TITLE_LENGTH = 200;

/** Empty if the doctype would move tables out of the paragraphs that contain them without one. */
export function withDoctype(email: ParsedEmail): SourceEdit[] {
  const html = writtenElement(email, 'html');
  const moves = email.elements.some((element) => element.name === 'table' && isInside(element, PARAGRAPH));
  const isFirst = html !== undefined && email.elements.find(({ isWritten }) => isWritten) === html;
  return html && isFirst && !moves ? [insertion(html.offset, '<!DOCTYPE html>\n')] : [];
}

export function withCharset(email: ParsedEmail): SourceEdit[] {
  const head = writtenElement(email, 'head');
  return head ? [insertion(head.end, '\n<meta charset="utf-8">')] : [];
}

/** The subject, if it is the same for every reader. */
export function withTitle(email: ParsedEmail, subject: string | null): SourceEdit[] {
  const text = (subject ?? '').trim();
  if (text === '' || text.length > MAX_TITLE_LENGTH || /[{}«»]/.test(text) || holdsExpression(text))
    return [];
  const titles = email.elements.filter(({ name }) => name === 'title');
  const [title] = titles;
  if (titles.length > 1 || (title && !title.isWritten)) return [];
  if (title) return [insertion(title.end, asHtml(text))];
  const head = writtenElement(email, 'head');
  return head ? [insertion(head.end, `\n<title>${asHtml(text)}</title>`)] : [];
}

export function withLanguage(email: ParsedEmail, language: string | null): SourceEdit[] {
  const html = writtenElement(email, 'html');
  if (!html || !language) return [];
  const range = Object.hasOwn(html.attributeRanges, 'lang') ? html.attributeRanges['lang'] : undefined;
  if (range) return [{ start: range.startOffset, end: range.endOffset, text: `lang="${language}"` }];
  return [insertion(html.offset + '<html'.length, ` lang="${language}"`)];
}

function writtenElement(email: ParsedEmail, name: string): EmailElement | undefined {
  return email.elements.find((element) => element.name === name && element.isWritten);
}

function insertion(at: number, text: string): SourceEdit {
  return { start: at, end: at, text };
}
