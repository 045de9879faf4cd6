/** Decides about one message and builds its bytes: send decision, rendering, subject, footer, headers, MIME. */
import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { runCooperatively } from '../../../platform/threads/run-cooperatively.js';
import { TrackingLinks } from '../../tracking/application/tracking-links.js';
import { trackedParts } from '../../tracking/domain/tracking-settings.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { OwnDomains } from '../../domains/application/own-domains.js';
import type { ReadyTemplate } from '../../templates/application/ready-template.js';
import { UnsubscribeLinks } from '../../unsubscribe/application/unsubscribe-links.js';
import {
  NOTHING_RECORDED,
  type ClaimedSend,
  type SendEvent,
  type SendRecord,
} from '../domain/claimed-send.js';
import { complianceFooter, listUnsubscribeHeaders, withFooter } from '../domain/compliance.js';
import { originHeaders } from '../domain/origin-headers.js';
import { buildMessage } from '../domain/mime/message.js';
import { decideOn, sendingDomains } from '../domain/message-decision.js';
import { unsentText, type SendingWorkspace } from '../domain/send-decision.js';
import { outcomeOf, type SendOutcome } from '../domain/send-outcome.js';
import { FEEDBACK_FIELD } from '../domain/feedback-token.js';
import { FeedbackTokens } from './feedback-tokens.js';
import type { OutgoingMail } from './mail-transport.port.js';
import { MailSigner } from './mail-signer.js';
import { MessageTexts } from './message-texts.js';

/** What the attempt of a message needs besides its own row. */
export interface SendContext {
  readonly scope: TenantScope;
  readonly workspace: SendingWorkspace & Pick<Workspace, 'settings'>;
  readonly ownDomains: OwnDomains;
  readonly template: ReadyTemplate | undefined;
  /** The contact's latest events that the template reads. */
  readonly events: Record<string, SendEvent>;
}

export type ComposedSend =
  | { readonly kind: 'mail'; readonly mail: OutgoingMail; readonly record: SendRecord }
  | { readonly kind: 'settled'; readonly outcome: SendOutcome; readonly record: SendRecord };

@Injectable()
export class MessageComposer {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly tracking: TrackingLinks,
    private readonly texts: MessageTexts,
    private readonly signer: MailSigner,
    private readonly tokens: FeedbackTokens,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Returns the message to send, or its outcome without sending.
   * @throws DomainError as ReadyTemplate.render.
   */
  async compose(
    send: ClaimedSend,
    { scope, workspace, ownDomains, template, events }: SendContext,
    now: Date,
  ): Promise<ComposedSend> {
    const { contact, contentType } = send;
    const inputs = {
      workspace,
      template: template ?? null,
      domains: sendingDomains(this.config.sharedSendingDomain, ownDomains, now),
    };
    const decision = decideOn(send, scope, inputs, now);
    const email = contact?.email ?? null;
    const recorded = { ...NOTHING_RECORDED, toEmail: email, templateVersion: template?.version ?? null };
    if (decision.kind !== 'send') return { kind: 'settled', outcome: outcomeOf(decision), record: recorded };
    if (!contact || !template)
      throw new TypeError('A message that can be sent must have a contact and a template.');

    const rendered = await this.texts.render(send, contact, template, events, now);
    if (rendered.kind !== 'rendered')
      return { kind: 'settled', outcome: outcomeOf(unsentText(rendered)), record: recorded };
    const { subject } = rendered;
    let { html, text } = rendered;
    const tracked = trackedParts(workspace.settings, contentType);
    const message = { scope, messageId: send.id };
    // Before the footer is added: the unsubscribe link must not be rewritten for tracking.
    if (tracked.clicks) html = await runCooperatively(this.tracking.rewrite(html, message));
    const token = this.tokens.of(send.id);
    let footer = { html: '', text: '' };
    let headers = [[FEEDBACK_FIELD, token] as const, ...originHeaders(send, scope)];
    if (contentType === 'promotional') {
      const url = this.links.urlFor(scope, contact.id, decision.to, send.id);
      footer = complianceFooter(workspace.company, url, contact.locale);
      headers = [...headers, ...listUnsubscribeHeaders(url)];
    }
    if (tracked.opens) footer = { ...footer, html: footer.html + this.tracking.pixel(message) };
    if (footer.html !== '') ({ html, text } = await runCooperatively(withFooter({ html, text }, footer)));
    const built = await runCooperatively(
      buildMessage({
        messageId: send.messageId,
        date: now,
        environment: scope.environment,
        from: decision.from,
        to: { address: decision.to, name: '' },
        replyTo: decision.replyTo,
        subject,
        html,
        text,
        headers,
      }),
    );
    const raw = await this.signer.sign(built, decision.from, ownDomains, now);
    const returnPath = this.tokens.returnPathOf(token, {
      from: decision.from.address,
      returnPath: decision.returnPath,
    });
    const record = { ...recorded, toEmail: decision.to, fromEmail: decision.from.address, subject, tracked };
    return {
      kind: 'mail',
      mail: { envelope: { from: returnPath, to: decision.to }, messageId: send.messageId, raw },
      record,
    };
  }
}
