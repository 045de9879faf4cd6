/**
 * Test emails, section 4.3: sends unsaved content immediately to a few addresses, by the transport that real mail of
 * the environment uses. Nothing is stored: there is no email log, and nothing counts toward a quota.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { RenderContext } from '../../../language/language.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Threads } from '../../../platform/threads/threads.js';
import { runCooperatively } from '../../../platform/threads/run-cooperatively.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import { type OwnDomains, OwnDomainsService } from '../../domains/application/own-domains.js';
import type { Allowance } from '../../limits/domain/allowance.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { AllowanceService } from '../../limits/application/allowance.service.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Mailbox } from '../domain/email-address.js';
import { messageIdOf } from '../domain/email-log.js';
import { buildMessage } from '../domain/mime/message.js';
import { contextOfContact, type RenderedMessage } from '../domain/rendered-message.js';
import { mayReachPeople } from '../domain/send-decision.js';
import { resolveFrom } from '../domain/sender-address.js';
import { TEST_MESSAGES } from '../domain/test-content.js';
import {
  markedSubject,
  reasonOfFailure,
  recipientsOf,
  reportOf,
  resultOf,
  type TestRecipient,
  type TestSendReason,
  type TestSend,
  type TestSendReport,
} from '../domain/test-send.js';
import { TestSendTransports } from '../transport/test-send-transports.js';
import { MailSigner } from './mail-signer.js';
import { TransportFailure, type MailTransport } from './mail-transport.port.js';

/** Milliseconds of real time after which the caller gets an answer, even if mail servers do not answer. */
const TIMEOUT_MS = 15_000;

/**
 * Maximum of test email recipients per workspace, for both environments together: enough to test, too few for real
 * sends.
 */
const ALLOWANCE: Allowance = { name: 'test emails', limit: 100, windowMs: 3_600_000 };

/** What the messages of one test send share. */
interface TestMessage {
  readonly scope: TenantScope;
  readonly from: Mailbox;
  readonly replyTo: string | null;
  readonly returnPath: string;
  readonly ownDomains: OwnDomains;
  /** In the order in which they are tried. */
  readonly transports: readonly MailTransport[];
  /** The message of each recipient. */
  readonly rendered: ReadonlyMap<TestRecipient, RenderedMessage>;
  readonly signal: AbortSignal;
}

type Unsendable = { readonly kind: 'unsendable'; readonly reason: TestSendReason };

@Injectable()
export class TestSendService {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly contacts: ContactService,
    private readonly transports: TestSendTransports,
    private readonly allowances: AllowanceService,
    private readonly threads: Threads,
    private readonly ownDomains: OwnDomainsService,
    private readonly signer: MailSigner,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends a test email to each recipient, all concurrently, and returns each result.
   * @param actor the requester, for the log.
   * @param timeoutMs milliseconds until attempts still in progress are given up.
   * @throws DomainError rate_limit_exceeded with retry_after, before anything is sent, when the recipients exceed the
   * workspace's hourly allowance; work_too_costly, service_unavailable as Threads.run.
   */
  async send(
    scope: TenantScope,
    input: TestSend,
    actor: string,
    timeoutMs = TIMEOUT_MS,
  ): Promise<TestSendReport> {
    const recipients = recipientsOf(input.toEmails);
    const message = await this.prepare(scope, input, recipients, AbortSignal.timeout(timeoutMs));
    if (message.kind === 'message') await this.useAllowance(scope, recipients);
    const results = await Promise.all(
      recipients.map(async (recipient) =>
        resultOf(
          recipient,
          message.kind === 'unsendable' ? message.reason : await this.attempt(message, recipient),
        ),
      ),
    );
    const report = reportOf(results);
    const reasons = results.flatMap(({ reason }) => reason ?? []);
    this.logger.info({ ...scope, actor, sent: report.sentCount, reasons }, 'Test emails sent');
    return report;
  }

  /** A recipient without a valid address gets nothing, and does not count. */
  private async useAllowance(scope: TenantScope, recipients: readonly TestRecipient[]): Promise<void> {
    const reachable = recipients.filter(({ address }) => address !== undefined).length;
    if (reachable > 0) await this.allowances.use(scope, ALLOWANCE, reachable);
  }

  /** What all of the messages share, or the reason why none of them may go. */
  private async prepare(
    scope: TenantScope,
    input: TestSend,
    recipients: readonly TestRecipient[],
    signal: AbortSignal,
  ): Promise<(TestMessage & { readonly kind: 'message' }) | Unsendable> {
    const now = this.clock.now();
    const contexts = await this.contextsOf(scope, recipients, now);
    const { subject, bodyHtml, templateLanguage = null } = input;
    const values = contexts.map(([, context]) => context);
    const work = { subject, bodyHtml, templateLanguage, contexts: values, now };
    const test = await this.threads.run(scope.workspaceId, TEST_MESSAGES, work);
    if (test.kind === 'blocked') return unsendable(test.reason);
    const workspace = await this.workspaces.get(scope);
    if (!mayReachPeople(workspace, scope.environment, now)) return unsendable('workspace_not_live');
    const ownDomains = await this.ownDomains.of(scope);
    const sender = resolveFrom(
      { ...workspace.sender, ...input.sender },
      workspace.company.name ?? workspace.name,
      scope.environment,
      { shared: this.config.sharedSendingDomain, own: (domain) => ownDomains.find(domain, now) },
    );
    if (sender.kind === 'refused') return unsendable('invalid_from_address');
    const transports = this.transports.of(scope.environment, workspace.settings.mailTransports);
    if (transports.length === 0) return unsendable('no_transport');
    const rendered = new Map(
      contexts.flatMap(([recipient], index) => {
        const message = test.messages[index];
        return message ? [[recipient, message] as const] : [];
      }),
    );
    const { from, replyTo, returnPath } = sender;
    return {
      kind: 'message',
      scope,
      from,
      replyTo,
      returnPath,
      ownDomains,
      transports,
      rendered,
      signal,
    };
  }

  /** The context of each recipient with a valid address: the contact with that address, or else only the address. */
  private async contextsOf(
    scope: TenantScope,
    recipients: readonly TestRecipient[],
    now: Date,
  ): Promise<(readonly [TestRecipient, RenderContext])[]> {
    const reachable = recipients.flatMap((recipient) =>
      recipient.address === undefined
        ? []
        : [{ recipient, email: recipient.email, address: recipient.address }],
    );
    const emails = reachable.flatMap(({ email, address }) => [email, address]);
    const contacts: ReadonlyMap<string, Contact> = await this.contacts.newestByEmail(scope, emails);
    return reachable.map(({ recipient, email, address }) => {
      const contact = contacts.get(email.toLowerCase()) ?? contacts.get(address.toLowerCase());
      return [recipient, contact ? contextOfContact(contact, now) : { contact: { email: address }, now }];
    });
  }

  /** Returns why the recipient did not get the message; null when it was sent. Never throws. */
  private async attempt(message: TestMessage, recipient: TestRecipient): Promise<TestSendReason | null> {
    try {
      return await this.transmit(message, recipient);
    } catch (error) {
      this.logger.error({ err: error, ...message.scope }, 'A test email could not be built');
      return 'internal_error';
    }
  }

  private async transmit(message: TestMessage, recipient: TestRecipient): Promise<TestSendReason | null> {
    const { address } = recipient;
    const rendered = message.rendered.get(recipient);
    if (address === undefined || rendered === undefined) return 'invalid_email';
    const now = this.clock.now();
    if (rendered.kind === 'suppressed') return 'missing_required_field';
    if (rendered.kind === 'failed') return 'render_failed';
    const messageId = messageIdOf(uuidv7(now.getTime()), this.config.sharedSendingDomain);
    const built = await runCooperatively(
      buildMessage({
        messageId,
        date: now,
        environment: message.scope.environment,
        from: message.from,
        to: { address, name: '' },
        replyTo: message.replyTo,
        subject: markedSubject(rendered.subject),
        html: rendered.html,
        text: rendered.text,
        headers: [['X-Waypost-Test', 'true']],
      }),
    );
    const raw = await this.signer.sign(built, message.from, message.ownDomains, now);
    const mail = { envelope: { from: message.returnPath, to: address }, messageId, raw };
    let reason: TestSendReason = 'unreachable';
    for (const transport of message.transports) {
      try {
        await transport.send(mail, message.signal);
        return null;
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        if (message.signal.aborted) return 'timeout';
        reason = reasonOfFailure(error.failed);
        if (error.failed.kind !== 'unreachable') break;
      }
    }
    return reason;
  }
}

function unsendable(reason: TestSendReason): Unsendable {
  return { kind: 'unsendable', reason };
}
