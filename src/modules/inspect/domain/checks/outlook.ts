/** Checks markup for Outlook only: conditional comments and VML drawings (section 4.7, html and images). */
import { quote, type RuleFinding } from '../findings/finding.js';
import type { EmailComment, ParsedEmail } from '../email/parsed-email.js';
import { atElement, styleOf } from './element-findings.js';

const OPENS = /^\[if\b[^\]]{0,200}\]/i;
/** The text after the condition if the content that follows the comment is for all clients: `><!--` or nothing. */
const REVEALED = /^>?\s*(?:<!(?:--)?\s*)?$/;
const ENDS = /<!\[endif\]\s*$/i;
const CLOSES = /^(?:<!)?\[endif\](?:--)?$/i;

export function checkOutlook(email: ParsedEmail): RuleFinding[] {
  const drawings = email.comments.some(({ text }) => /<v:[a-z]/i.test(text));
  return [
    ...checkConditions(email.comments),
    ...checkSettings(email, drawings),
    ...checkBackground(email, drawings),
  ];
}

function checkConditions(comments: readonly EmailComment[]): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const open: EmailComment[] = [];
  const report = ({ text, offset: offset, end: until }: EmailComment, what: string): void => {
    const message = `The conditional comment ${quote(text.slice(0, 60))} ${what}.`;
    findings.push({ rule: 'conditional_comment_broken', message, at: offset, until });
  };
  for (const comment of comments) {
    const text = comment.text.trim();
    const opening = OPENS.exec(text);
    if (CLOSES.test(text)) {
      if (!open.pop()) report(comment, 'closes nothing');
    } else if (opening && REVEALED.test(text.slice(opening[0].length, opening[0].length + 20))) {
      open.push(comment);
    } else if (opening && !ENDS.test(text.slice(-40))) {
      report(comment, 'is not closed with <![endif]');
    }
  }
  for (const comment of open) report(comment, 'is not closed with <![endif]');
  return findings;
}

function checkSettings({ source, elements, comments }: ParsedEmail, drawings: boolean): RuleFinding[] {
  const findings: RuleFinding[] = [];
  const root = elements.find(({ name }) => name === 'html');
  const at = root?.isWritten === true ? root.offset : null;
  const until = root?.isWritten === true ? { until: root.end } : {};
  if (drawings && !/xmlns:v\s*=/i.test(source)) {
    const message = 'The message uses VML, but the document does not declare xmlns:v.';
    findings.push({ rule: 'outlook_namespace_missing', message, at, ...until });
  }
  const targetsOutlook = comments.some(({ text }) => /^\s*\[if\b[^\]]{0,200}\bmso\b/i.test(text));
  if ((drawings || targetsOutlook) && at !== null && !/<o:PixelsPerInch/i.test(source)) {
    const message = 'The settings for Outlook do not set PixelsPerInch.';
    findings.push({ rule: 'outlook_dpi_missing', message, at, ...until });
  }
  return findings;
}

function checkBackground(email: ParsedEmail, drawings: boolean): RuleFinding[] {
  if (drawings) return [];
  const first = email.elements.find(
    (element) =>
      element.attributes.has('background') ||
      ['background', 'background-image'].some((name) => styleOf(email, element, name)?.includes('url(')),
  );
  if (!first) return [];
  const message = 'The message has a background image but no VML for Outlook.';
  return [atElement('background_without_vml', first, message)];
}
