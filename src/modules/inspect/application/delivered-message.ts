/**
 * Composes a message as delivery would send it, for filters that judge whole messages: with its sender, the legally
 * required footer, the headers of one-click unsubscribe, and the signature. It stores and sends nothing and makes no
 * network request. The message counts as promotional, since filters are strict with those. Its links are not tracked;
 * its recipient, its id and its unsubscribe link are placeholders.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { runCooperatively } from '../../../platform/threads/run-cooperatively.js';
import { MailSigner } from '../../delivery/application/mail-signer.js';
import { complianceFooter, listUnsubscribeHeaders, withFooter } from '../../delivery/domain/compliance.js';
import { messageIdOf } from '../../delivery/domain/email-log.js';
import { sendingDomains } from '../../delivery/domain/message-decision.js';
import { buildMessage } from '../../delivery/domain/mime/message.js';
import { originHeaders } from '../../delivery/domain/origin-headers.js';
import { resolveFrom } from '../../delivery/domain/sender-address.js';
import { OwnDomainsService } from '../../domains/application/own-domains.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { RenderedMessage } from '../domain/analysis/analysis.js';

const PLACEHOLDER_RECIPIENT = { address: 'reader@example.com', name: '' };
const PLACEHOLDER_ORIGIN = { sourceId: null, templateSlug: 'examined', contentType: 'promotional' } as const;
/** Replaces the recipient's own link. */
const UNSUBSCRIBE_PATH = '/v1/public/unsubscribe?token=examined';

@Injectable()
export class DeliveredMessage {
  constructor(
    private readonly ownDomains: OwnDomainsService,
    private readonly signer: MailSigner,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /** The message's bytes; undefined if the workspace's sender is malformed, so that nothing could be sent. */
  async compose(
    scope: TenantScope,
    workspace: Pick<Workspace, 'sender' | 'company' | 'name'>,
    { subject, html, text }: RenderedMessage,
  ): Promise<Buffer | undefined> {
    const now = this.clock.now();
    const { sharedSendingDomain, baseUrl } = this.config;
    const own = await this.ownDomains.of(scope);
    const sender = resolveFrom(
      workspace.sender,
      workspace.company.name ?? workspace.name,
      scope.environment,
      sendingDomains(sharedSendingDomain, own, now),
    );
    if (sender.kind === 'refused') return undefined;
    const url = `${baseUrl}${UNSUBSCRIBE_PATH}`;
    const contentWithFooter = await runCooperatively(
      withFooter({ html, text }, complianceFooter(workspace.company, url, null)),
    );
    const messageBytes = await runCooperatively(
      buildMessage({
        messageId: messageIdOf(uuidv7(now.getTime()), sharedSendingDomain),
        date: now,
        environment: scope.environment,
        from: sender.from,
        to: PLACEHOLDER_RECIPIENT,
        replyTo: sender.replyTo,
        subject: subject ?? '',
        ...contentWithFooter,
        headers: [...originHeaders(PLACEHOLDER_ORIGIN, scope), ...listUnsubscribeHeaders(url)],
      }),
    );
    return this.signer.sign(messageBytes, sender.from, own, now);
  }
}
