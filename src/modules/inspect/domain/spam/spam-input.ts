/** The inputs of the spam rules: a rendered message, and its sender. */
import type { TemplateNode } from '../../../../language/language.js';
import type { RenderedMessage } from '../analysis/analysis.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { textAppearances, type TextAppearance } from '../email/text-appearance.js';
import { readEmail, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { readText, type ReadText } from './read-text.js';

/** The sender that a message states; undefined for what is not set. */
export interface SpamSender {
  readonly fromEmail: string | undefined;
  readonly fromName: string | undefined;
  readonly replyTo: string | undefined;
}

export interface SpamInput {
  readonly subject: string | null;
  /** The plain-text version. */
  readonly text: string;
  /** Null if its structure exceeds the limits. */
  readonly email: ParsedEmail | null;
  /** The text of the HTML. */
  readonly htmlText: ReadText;
  /** Null if there are too many styles to evaluate. */
  readonly appearances: ReadonlyMap<EmailElement, TextAppearance> | null;
  readonly sender: SpamSender;
}

const NO_TEXT: ReadText = { text: '', offsetOf: () => 0 };

export function spamInputOf({ subject, html, text }: RenderedMessage, sender: SpamSender): SpamInput {
  const { email } = readEmail(html, [textOf(html)]);
  return {
    subject,
    text,
    email,
    htmlText: email ? readText(email) : NO_TEXT,
    appearances: email && textAppearances(email),
    sender,
  };
}

/** The HTML is all text: what looks like an expression is what readers receive. */
function textOf(html: string): TemplateNode {
  return { kind: 'text', text: html, position: { line: 1, column: 1, offset: 0 } };
}

/** The first findings, as many as a run stores. */
export function firstOf(findings: Iterable<RuleFinding>): RuleFinding[] {
  const first: RuleFinding[] = [];
  for (const finding of findings) {
    if (first.length >= MAX_FINDINGS) break;
    first.push(finding);
  }
  return first;
}
