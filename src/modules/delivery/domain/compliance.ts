/**
 * What commercial email carries by law (section 4.10): a footer with the company's name, its physical address and
 * an unsubscribe link, and the headers of one-click unsubscribe, RFC 8058. Transactional email is exempt.
 */
import { escapeHtml } from '../../../kernel/escape-html.js';
import type { CompanyInformation } from '../../workspaces/domain/workspace.js';

export interface Footer {
  readonly html: string;
  readonly text: string;
}

/** The address on one line, the parts that are present only. */
export function addressLine(company: CompanyInformation): string {
  const town = [company.city, company.region, company.postalCode].filter(isPresent).join(' ');
  return [company.addressLine1, company.addressLine2, town, company.country].filter(isPresent).join(', ');
}

/** The footer in both forms. `unsubscribeUrl` is an absolute address. */
export function complianceFooter(company: CompanyInformation, unsubscribeUrl: string): Footer {
  const name = company.name ?? '';
  const address = addressLine(company);
  const html =
    '<div style="margin:32px 0 0;padding:16px 0;border-top:1px solid #8886;font:12px/1.5 sans-serif;color:#777;text-align:center">' +
    `${escapeHtml(name)}<br>${escapeHtml(address)}<br>` +
    `<a href="${escapeHtml(unsubscribeUrl)}" style="color:#777;text-decoration:underline">Unsubscribe</a></div>`;
  return { html, text: `\n\n--\n${name}\n${address}\nUnsubscribe: ${unsubscribeUrl}\n` };
}

/** Appends to an HTML document: before the last `</body>`, or at the end where there is none. */
export function appendToHtml(document: string, part: string): string {
  const tail = document.slice(-CLOSING_REACH);
  const match = [...tail.matchAll(/<\/body\s*>/gi)].at(-1);
  const at = match ? document.length - tail.length + match.index : lastClosingBody(document);
  return document.slice(0, at) + part + document.slice(at);
}

/** `</body>` nearly always stands within the last characters, so that a long document need not be searched. */
const CLOSING_REACH = 256;

function lastClosingBody(document: string): number {
  let at = document.length;
  for (const match of document.matchAll(/<\/body\s*>/gi)) at = match.index;
  return at;
}

/** List-Unsubscribe and List-Unsubscribe-Post, RFC 8058. */
export function listUnsubscribeHeaders(
  unsubscribeUrl: string,
): readonly (readonly [name: string, value: string])[] {
  return [
    ['List-Unsubscribe', `<${unsubscribeUrl}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}

function isPresent(part: string | undefined): part is string {
  return (part ?? '').trim() !== '';
}
