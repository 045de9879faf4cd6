/**
 * What the law requires in commercial email (section 4.10): a footer with the company's name, its physical address and
 * an unsubscribe link, and the headers of one-click unsubscribe, RFC 8058. Transactional email is exempt.
 */
import { escapeHtml } from '../../../kernel/escape-html.js';
import { languageFor, type Language } from '../../preferences/domain/language.js';
import type { CompanyInformation } from '../../workspaces/domain/workspace.js';
import { endOfBody } from './end-of-body.js';

/** A message, or a part of one. */
export interface HtmlAndText {
  readonly html: string;
  readonly text: string;
}

/** The address on one line, with only the parts that are present. */
export function addressLine(company: CompanyInformation): string {
  const town = [company.city, company.region, company.postalCode].filter(isPresent).join(' ');
  return [company.addressLine1, company.addressLine2, town, company.country].filter(isPresent).join(', ');
}

/** The text of the link, which opens a page to unsubscribe or to choose fewer topics. */
const LINK_LABELS: Readonly<Record<Language, string>> = {
  en: 'Unsubscribe or change preferences',
  de: 'Abmelden oder Einstellungen ändern',
  fr: 'Se désabonner ou modifier mes préférences',
  es: 'Cancelar la suscripción o cambiar preferencias',
  it: 'Annullare l’iscrizione o cambiare preferenze',
  nl: 'Afmelden of voorkeuren wijzigen',
  pt: 'Cancelar a subscrição ou alterar preferências',
};

/**
 * The footer as HTML and text, in the contact's language.
 * @param unsubscribeUrl an absolute address.
 * @param locale the contact's.
 */
export function complianceFooter(
  company: CompanyInformation,
  unsubscribeUrl: string,
  locale: string | null,
): HtmlAndText {
  const language = languageFor(locale, undefined);
  const label = LINK_LABELS[language];
  const name = company.name ?? '';
  const address = addressLine(company);
  const html =
    '<div style="margin:32px 0 0;padding:16px 0;border-top:1px solid #8886;font:12px/1.5 sans-serif;color:#767676;text-align:center">' +
    `${escapeHtml(name)}<br>${escapeHtml(address)}<br>` +
    `<a href="${escapeHtml(unsubscribeUrl)}" lang="${language}" style="color:#767676;text-decoration:underline">${label}</a></div>`;
  return { html, text: `\n\n--\n${name}\n${address}\n${label}: ${unsubscribeUrl}\n` };
}

/**
 * Adds the footer to the end of a message. An empty text (an HTML-only message) stays empty. Yields now and then for
 * large messages.
 */
export function* withFooter({ html, text }: HtmlAndText, footer: HtmlAndText): Generator<void, HtmlAndText> {
  const at = yield* endOfBody(html);
  return {
    html: html.slice(0, at) + footer.html + html.slice(at),
    text: text === '' ? '' : text + footer.text,
  };
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
