/** Takes mail that came back: bounces and complaints by mail, from the pipe of a mail server. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import PostalMime from 'postal-mime';
import { FeedbackTokens } from '../../delivery/application/feedback-tokens.js';
import { readMailReport, type TakenApart } from '../domain/mail-report.js';
import { FeedbackIntake, type Intake } from './feedback-intake.js';

/** Bytes of a message that are read: what is returned of ours stands within, and the rest is passed over. */
const MOST_BYTES = 1024 * 1024;
const MOST_PARTS = 50;
/** Characters of one part: reports and headers take a few thousand. */
const LONGEST_PART = 65_536;
const BOUNDS = { maxNestingDepth: 10, maxHeadersSize: 256 * 1024 } as const;

export interface TakenMail {
  /** What became of it; `no_report` is mail of another kind, `forged` a report without a token of ours. */
  readonly result: Intake | 'no_report' | 'forged';
  readonly type: string | null;
  readonly emailLogId: string | null;
}

@Injectable()
export class MailReports {
  constructor(
    private readonly tokens: FeedbackTokens,
    private readonly intake: FeedbackIntake,
  ) {}

  /** Takes one message as it came. What is no report about a message of ours does nothing. */
  async take(raw: Buffer): Promise<TakenMail> {
    const apart = await takenApart(raw.subarray(0, MOST_BYTES));
    const report = apart && readMailReport(apart);
    if (!report) return { result: 'no_report', type: null, emailLogId: null };
    const { type, facts } = report;
    const [emailLogId] = report.tokens.flatMap((token) => this.tokens.read(token) ?? []);
    if (emailLogId === undefined) return { result: 'forged', type, emailLogId: null };
    // The mail itself is its name: a server that hands it over again tells nothing new.
    const key = `mail:${createHash('sha256').update(raw).digest('hex')}`;
    return { result: await this.intake.take([emailLogId], { key, type, facts, age: 0 }), type, emailLogId };
  }
}

/** The message in its parts; undefined of what is no message, or too deep for one. */
async function takenApart(raw: Buffer): Promise<TakenApart | undefined> {
  try {
    const { headers, attachments } = await PostalMime.parse(raw, {
      ...BOUNDS,
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
    });
    return {
      fields: headers.map(({ key, value }) => [key, value] as const),
      parts: attachments.slice(0, MOST_PARTS).map(({ mimeType, content }) => ({
        type: mimeType.toLowerCase(),
        text:
          typeof content === 'string'
            ? content.slice(0, LONGEST_PART)
            : Buffer.from(new Uint8Array(content)).toString('latin1', 0, LONGEST_PART),
      })),
    };
  } catch {
    return undefined;
  }
}
