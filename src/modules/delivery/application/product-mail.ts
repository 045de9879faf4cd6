/**
 * Sends the product's own mail: to members, to invited people and to the recipients of reports, in the product's name
 * and from the shared sending domain. It is not a message of a tenant: no gate, no cap, no footer, no tracking and no
 * row in the ledger. The caller keeps the record. It uses the transports of live mail, in the operator's order.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { runCooperatively } from '../../../platform/threads/run-cooperatively.js';
import { OwnDomains } from '../../domains/application/own-domains.js';
import { normalAddress } from '../domain/email-address.js';
import { messageIdOf } from '../domain/email-log.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import type { Attachment } from '../domain/mime/attachment.js';
import { buildMessage } from '../domain/mime/message.js';
import { FEEDBACK_FIELD } from '../domain/feedback-token.js';
import { FeedbackTokens } from './feedback-tokens.js';
import { MailSigner } from './mail-signer.js';
import { MailTransports, TransportFailure } from './mail-transport.port.js';

export interface ProductMessage {
  /** Identifies the message. It is the same in each attempt. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** What the message is about, as a label for metrics. */
  readonly purpose: string;
  /** Name of the recipient. May be any text, also empty. */
  readonly toName?: string;
  /** Images that the HTML shows, and files. */
  readonly attachments?: readonly Attachment[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** The display name of the sender. */
const SENDER_NAME = 'Waypost';
/** Local part of the sender's address. */
const NO_REPLY_LOCAL_PART = 'no-reply';
/** Milliseconds of real time after which an attempt is given up. */
const SEND_TIMEOUT_MS = 120_000;

@Injectable()
export class ProductMail {
  constructor(
    private readonly transports: MailTransports,
    private readonly signer: MailSigner,
    private readonly tokens: FeedbackTokens,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Attempts a message once.
   * @param scope the workspace that the message is about.
   * @returns why it was not accepted; undefined when it was.
   */
  async send(scope: WorkspaceScope, message: ProductMessage): Promise<FailedAttempt | undefined> {
    const to = normalAddress(message.to.trim());
    if (to === undefined) return { kind: 'permanent', detail: 'The address is malformed.' };
    const { sharedSendingDomain: domain } = this.config;
    const from = { address: `${NO_REPLY_LOCAL_PART}@${domain}`, name: SENDER_NAME };
    const messageId = messageIdOf(message.id, domain);
    const token = this.tokens.of(message.id);
    const now = this.clock.now();
    const built = await runCooperatively(
      buildMessage({
        messageId,
        date: now,
        environment: 'live',
        from,
        to: { address: to, name: message.toName ?? '' },
        replyTo: null,
        subject: message.subject,
        html: message.html,
        text: message.text,
        attachments: message.attachments ?? [],
        headers: [
          ['Feedback-ID', `${message.purpose}:product:${scope.workspaceId}:waypost`],
          ['Auto-Submitted', 'auto-generated'],
          [FEEDBACK_FIELD, token],
          ...(message.headers ?? []),
        ],
      }),
    );
    const raw = await this.signer.sign(built, from, new OwnDomains([]), now);
    const returnPath = this.tokens.returnPathOf(token, { from: from.address, returnPath: from.address });
    const mail = { envelope: { from: returnPath, to }, messageId, raw };
    const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
    let failed: FailedAttempt = { kind: 'unreachable', detail: 'No transport is configured.' };
    for (const transport of this.transports.of('live')) {
      try {
        await transport.send(mail, signal);
        return undefined;
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        ({ failed } = error);
        // Only a message that was certainly not accepted, for a reason that is not its own, may use another transport.
        if (failed.kind !== 'unreachable') break;
      }
    }
    return failed;
  }
}
