/** Processes returned mail: bounces and complaints by mail, from the pipe of a mail server. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import PostalMime, { decodeWords } from 'postal-mime';
import type { BounceKind } from '../../delivery/domain/engagement.js';
import { FeedbackTokens } from '../../delivery/application/feedback-tokens.js';
import type { BounceReason } from '../domain/bounces/classify-bounce.js';
import { readMailReport, type ParsedMail } from '../domain/mail-report.js';
import { FeedbackIntake, type Intake } from './feedback-intake.js';

/** Bytes of a message that are read: the returned copy of our message is within them, and the rest is ignored. */
const MAX_BYTES = 1024 * 1024;
/** Each line costs the parser some 50 µs. A returned message of one megabyte has 14,000. */
const MAX_LINES = 20_000;
const MAX_PARTS = 50;
/** Characters of one part: reports and headers take a few thousand. */
const MAX_PART_CHARS = 65_536;
/** Characters. */
const MAX_FIELD_CHARS = 2_000;
const PARSER_LIMITS = { maxNestingDepth: 10, maxHeadersSize: 256 * 1024 } as const;

export interface MailReportResult {
  /** The result; `no_report` is mail of another kind, `forged` a report without a valid token. */
  readonly result: Intake | 'no_report' | 'forged';
  readonly type: string | null;
  readonly emailLogId: string | null;
  /** Null for other mail. */
  readonly bounce: { readonly kind: BounceKind; readonly reason: BounceReason } | null;
}

@Injectable()
export class MailReports {
  constructor(
    private readonly tokens: FeedbackTokens,
    private readonly intake: FeedbackIntake,
  ) {}

  /** Processes one raw message. A message that is not a report about one of our messages has no effect. */
  async process(raw: Buffer): Promise<MailReportResult> {
    const mail = await parseMail(headOf(raw));
    const report = mail && readMailReport(mail);
    if (!report) return { result: 'no_report', type: null, emailLogId: null, bounce: null };
    const { type, facts, verdict } = report;
    const bounce = verdict ? { kind: verdict.kind, reason: verdict.reason } : null;
    const [emailLogId] = report.tokens.flatMap((token) => this.tokens.read(token) ?? []);
    if (emailLogId === undefined) return { result: 'forged', type, emailLogId: null, bounce };
    // The hash of the mail is its key, so a server that delivers it again adds nothing.
    const key = `mail:${createHash('sha256').update(raw).digest('hex')}`;
    const result = await this.intake.accept([emailLogId], { key, type, facts, happenedAt: undefined });
    return { result, type, emailLogId, bounce };
  }
}

function headOf(raw: Buffer): Buffer {
  const read = raw.subarray(0, MAX_BYTES);
  let end = 0;
  for (let lines = 0; lines < MAX_LINES && end < read.length; lines++)
    end = read.indexOf(0x0a, end) + 1 || read.length;
  return read.subarray(0, end);
}

/** The parsed message; undefined if it cannot be parsed, or is nested too deeply. */
async function parseMail(raw: Buffer): Promise<ParsedMail | undefined> {
  try {
    const { headers, attachments, text, html } = await PostalMime.parse(raw, {
      ...PARSER_LIMITS,
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
    });
    return {
      fields: headers.map(({ key, value }) => [key, decodeWords(value.slice(0, MAX_FIELD_CHARS))] as const),
      parts: attachments.slice(0, MAX_PARTS).map(({ mimeType, content }) => ({
        type: mimeType.toLowerCase(),
        text:
          typeof content === 'string' ? content.slice(0, MAX_PART_CHARS) : decoded(new Uint8Array(content)),
      })),
      text: text?.slice(0, MAX_PART_CHARS) ?? withoutTags(html ?? ''),
    };
  } catch {
    return undefined;
  }
}

/** UTF-8, or else Latin-1. */
function decoded(bytes: Uint8Array): string {
  const read = bytes.subarray(0, MAX_PART_CHARS);
  try {
    // `stream` accepts an incomplete character at the end.
    return new TextDecoder('utf-8', { fatal: true }).decode(read, { stream: true });
  } catch {
    return Buffer.from(read).toString('latin1');
  }
}

/** The text of HTML, with its line breaks. */
function withoutTags(html: string): string {
  return html
    .slice(0, MAX_PART_CHARS)
    .replaceAll(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^<>]*>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
