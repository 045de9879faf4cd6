/**
 * Hands mail of the product's own over to the next server: to members, to those who are asked to become one and to those whom
 * a report is for, in the product's name and from the shared sending domain. It is no message of a tenant: no gate, no cap, no footer, no tracking
 * and no row of the ledger; whoever asks keeps account of it. The transports are those of live mail, in the operator's order.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { inPieces } from '../../../platform/threads/in-pieces.js';
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
  /** Names the message: the same in each attempt. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** A word for what it is about, to count by. */
  readonly purpose: string;
  /** Name of whom it is to; may be any text, and empty. */
  readonly toName?: string;
  /** Pictures that the HTML shows, and files. */
  readonly attachments?: readonly Attachment[];
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** The display name that it comes from. */
const SENDER_NAME = 'Waypost';
/** Local part of the address that it comes from. */
const NOBODY = 'no-reply';
/** Milliseconds of real time after which an attempt is given up. */
const PATIENCE = 120_000;

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
   * @param scope the workspace that it is about.
   * @returns why it was not taken; undefined when it was.
   */
  async send(scope: WorkspaceScope, message: ProductMessage): Promise<FailedAttempt | undefined> {
    const to = normalAddress(message.to.trim());
    if (to === undefined) return { kind: 'permanent', detail: 'The address is malformed.' };
    const { sharedSendingDomain: domain } = this.config;
    const from = { address: `${NOBODY}@${domain}`, name: SENDER_NAME };
    const messageId = messageIdOf(message.id, domain);
    const token = this.tokens.of(message.id);
    const now = this.clock.now();
    const built = await inPieces(
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
    const impatience = AbortSignal.timeout(PATIENCE);
    let failed: FailedAttempt = { kind: 'unreachable', detail: 'No transport is configured.' };
    for (const transport of this.transports.of('live')) {
      try {
        await transport.send(mail, impatience);
        return undefined;
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        ({ failed } = error);
        // Another way is open to what was not handed over alone.
        if (failed.kind !== 'unreachable') break;
      }
    }
    return failed;
  }
}
