/** A stored report email, and the remarks that are added for its reader. */
import { escapeHtml } from '../../../kernel/escape-html.js';
import { plainName } from '../../notices/domain/plain-name.js';
import type { Frequency } from './schedule.js';

/** The email that a schedule sends on one date to all of its recipients. */
export interface MailedLetter {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** PNG. */
  readonly chart: Buffer | null;
  readonly csv: Buffer | null;
  readonly fileName: string | null;
}

const OFTEN: Readonly<Record<Frequency, string>> = {
  daily: 'every day',
  weekly: 'every week',
  monthly: 'every month',
};

/** The text of the link that stops the reports. */
const STOP = 'Stop this report';

/**
 * Explains why the recipient gets the mail; recipients may not know the product. @param workspace its name, as its
 * owner entered it.
 */
export function whyOf(workspace: string, frequency: Frequency): string {
  const of = plainName(workspace, 'a workspace');
  return `You receive this email because ${of} sends it to this address ${OFTEN[frequency]}.`;
}

export function cutNote(rows: number): string {
  return (
    `The file contains the first ${rows.toLocaleString('en')} rows because all of them would be too large ` +
    'for an email. The report contains all rows.'
  );
}

/** Appends lines in small print to the email. */
export function withRemarks<Letter extends Pick<MailedLetter, 'html' | 'text'>>(
  letter: Letter,
  remarks: readonly string[],
): Letter {
  return withSmallPrint(letter, remarks.map(escapeHtml), remarks);
}

/** Appends the link with which the recipient stops the reports. */
export function withStopLink<Letter extends Pick<MailedLetter, 'html' | 'text'>>(
  letter: Letter,
  url: string,
): Letter {
  const anchor = `<a href="${escapeHtml(url)}" class="soft" style="color:#566070;text-decoration:underline">${STOP}</a>`;
  return withSmallPrint(letter, [anchor], [`${STOP}: ${url}`]);
}

function withSmallPrint<Letter extends Pick<MailedLetter, 'html' | 'text'>>(
  letter: Letter,
  html: readonly string[],
  text: readonly string[],
): Letter {
  const small = html
    .map(
      (line) =>
        `<p class="soft" style="max-width:600px;margin:8px auto;padding:0 16px;font:400 13px/19px -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#566070;text-align:center;overflow-wrap:anywhere">${line}</p>`,
    )
    .join('');
  const end = letter.html.lastIndexOf('</body>');
  const whole = end === -1 ? letter.html + small : letter.html.slice(0, end) + small + letter.html.slice(end);
  return { ...letter, html: whole, text: `${letter.text.trimEnd()}\n\n${text.join('\n\n')}\n` };
}
