/** The inputs of the spam rules: a rendered message, and its sender. */
import type { TemplateNode } from '../../../../language/language.js';
import type { RenderedMessage } from '../analysis/analysis.js';
import { MOST_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { looksOf, type Look } from '../email/looks.js';
import { readEmail, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { readText, type ReadText } from './read-text.js';

/** The sender that a message states; undefined for what is not set. */
export interface SpamSender {
  readonly fromEmail: string | undefined;
  readonly fromName: string | undefined;
  readonly replyTo: string | undefined;
}

export interface SpamFacts {
  readonly subject: string | null;
  /** The plain-text version. */
  readonly text: string;
  /** Null if its structure exceeds the limits. */
  readonly email: ParsedEmail | null;
  /** The text of the HTML. */
  readonly read: ReadText;
  /** Null if there are too many styles to evaluate. */
  readonly looks: ReadonlyMap<EmailElement, Look> | null;
  readonly sender: SpamSender;
}

const NO_TEXT: ReadText = { text: '', placeOf: () => 0 };

export function spamFactsOf({ subject, html, text }: RenderedMessage, sender: SpamSender): SpamFacts {
  const { email } = readEmail(html, [textOf(html)]);
  return {
    subject,
    text,
    email,
    read: email ? readText(email) : NO_TEXT,
    looks: email && looksOf(email),
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
    if (first.length >= MOST_FINDINGS) break;
    first.push(finding);
  }
  return first;
}
