/** What rules of spam look at: a message as it is rendered, and the names that it comes under. */
import type { TemplateNode } from '../../../../language/language.js';
import type { RenderedMessage } from '../analysis/analysis.js';
import { MOST_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { looksOf, type Look } from '../email/looks.js';
import { readEmail, type EmailElement, type ParsedEmail } from '../email/parsed-email.js';
import { readText, type ReadText } from './read-text.js';

/** Whom a message says that it comes from; undefined for what nobody states. */
export interface SpamSender {
  readonly fromEmail: string | undefined;
  readonly fromName: string | undefined;
  readonly replyTo: string | undefined;
}

export interface SpamFacts {
  readonly subject: string | null;
  /** The plain-text version. */
  readonly text: string;
  /** Null where its structure is too much to be examined. */
  readonly email: ParsedEmail | null;
  /** The text of the HTML. */
  readonly read: ReadText;
  /** Null where the styles are too many to be followed. */
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

/** All of it is text: what looks like an expression is what readers get. */
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
