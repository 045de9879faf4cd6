/** Completes the frame of a document: its doctype, its character set, its title and its language. */
import { holdsExpression } from '../email/blanked-source.js';
import { standsIn } from '../checks/tell.js';
import type { EmailElement, ParsedEmail } from '../email/parsed-email.js';
import type { SourceEdit } from '../findings/finding.js';
import { asHtml } from './fixing-words.js';

const PARAGRAPH: ReadonlySet<string> = new Set(['p']);
/** Maximum number of characters of a title. */
const LONGEST_TITLE = 200;

/** Empty if the doctype would move tables out of the paragraphs that contain them without one. */
export function withDoctype(email: ParsedEmail): SourceEdit[] {
  const html = written(email, 'html');
  const moves = email.elements.some((element) => element.name === 'table' && standsIn(element, PARAGRAPH));
  const isFirst = html !== undefined && email.elements.find(({ isWritten }) => isWritten) === html;
  return html && isFirst && !moves ? [insertion(html.offset, '<!DOCTYPE html>\n')] : [];
}

export function withCharset(email: ParsedEmail): SourceEdit[] {
  const head = written(email, 'head');
  return head ? [insertion(head.end, '\n<meta charset="utf-8">')] : [];
}

/** The subject, if it is the same for every reader. */
export function withTitle(email: ParsedEmail, subject: string | null): SourceEdit[] {
  const text = (subject ?? '').trim();
  if (text === '' || text.length > LONGEST_TITLE || /[{}«»]/.test(text) || holdsExpression(text)) return [];
  const titles = email.elements.filter(({ name }) => name === 'title');
  const [title] = titles;
  if (titles.length > 1 || (title && !title.isWritten)) return [];
  if (title) return [insertion(title.end, asHtml(text))];
  const head = written(email, 'head');
  return head ? [insertion(head.end, `\n<title>${asHtml(text)}</title>`)] : [];
}

export function withLanguage(email: ParsedEmail, language: string | null): SourceEdit[] {
  const html = written(email, 'html');
  if (!html || !language) return [];
  const place = Object.hasOwn(html.attributePlaces, 'lang') ? html.attributePlaces['lang'] : undefined;
  if (place) return [{ start: place.startOffset, end: place.endOffset, text: `lang="${language}"` }];
  return [insertion(html.offset + '<html'.length, ` lang="${language}"`)];
}

function written(email: ParsedEmail, name: string): EmailElement | undefined {
  return email.elements.find((element) => element.name === name && element.isWritten);
}

function insertion(at: number, text: string): SourceEdit {
  return { start: at, end: at, text };
}
