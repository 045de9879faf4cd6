/** A stored report email, and the remarks that are added for its reader. */
import { escapeHtml } from '../../../kernel/escape-html.js';
import { LIGHT_COLOURS } from '../../../kernel/page-colours.js';
import { plainName } from '../../notices/domain/plain-name.js';
import type { Frequency } from './schedule.js';

/** The email that a schedule sends on one date to all of its recipients. */
export interface ComposedReportEmail {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** PNG. */
  readonly chart: Buffer | null;
  readonly csv: Buffer | null;
  readonly fileName: string | null;
}

const FREQUENCY_TEXTS: Readonly<Record<Frequency, string>> = {
  daily: 'every day',
  weekly: 'every week',
  monthly: 'every month',
};

/** The text of the link that stops the reports. */
const STOP_LINK_TEXT = 'Stop this report';

/**
 * Explains why the recipient gets the mail; recipients may not know the product. @param workspace its name, as its
 * owner entered it.
 */
export function reasonText(workspace: string, frequency: Frequency): string {
  const name = plainName(workspace, 'a workspace');
  return `You receive this email because ${name} sends it to this address ${FREQUENCY_TEXTS[frequency]}.`;
}

export function truncationNote(rows: number): string {
  return (
    `The file contains the first ${rows.toLocaleString('en')} rows because all of them would be too large ` +
    'for an email. The report contains all rows.'
  );
}

/** Appends lines in small print to the email. */
export function withRemarks<Email extends Pick<ComposedReportEmail, 'html' | 'text'>>(
  email: Email,
  remarks: readonly string[],
): Email {
  return withSmallPrint(email, remarks.map(escapeHtml), remarks);
}

/** Appends the link with which the recipient stops the reports. */
export function withStopLink<Email extends Pick<ComposedReportEmail, 'html' | 'text'>>(
  email: Email,
  url: string,
): Email {
  const anchor = `<a href="${escapeHtml(url)}" class="soft" style="color:${LIGHT_COLOURS.soft};text-decoration:underline">${STOP_LINK_TEXT}</a>`;
  return withSmallPrint(email, [anchor], [`${STOP_LINK_TEXT}: ${url}`]);
}

function withSmallPrint<Email extends Pick<ComposedReportEmail, 'html' | 'text'>>(
  email: Email,
  html: readonly string[],
  text: readonly string[],
): Email {
  const small = html
    .map(
      (line) =>
        `<p class="soft" style="max-width:600px;margin:8px auto;padding:0 16px;font:400 13px/19px -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:${LIGHT_COLOURS.soft};text-align:center;overflow-wrap:anywhere">${line}</p>`,
    )
    .join('');
  const end = email.html.lastIndexOf('</body>');
  const whole = end === -1 ? email.html + small : email.html.slice(0, end) + small + email.html.slice(end);
  return { ...email, html: whole, text: `${email.text.trimEnd()}\n\n${text.join('\n\n')}\n` };
}
