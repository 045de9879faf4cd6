/** Sends messages: claims them from the ledger and delivers them. */
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { dueWork, TenantPoller, type DueWork } from '../../../platform/queue/poller.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { ContactsModule } from '../../contacts/contacts.module.js';
import { SuppressionsModule } from '../../suppressions/suppressions.module.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { LimitsModule } from '../../limits/limits.module.js';
import { PreferencesModule } from '../../preferences/preferences.module.js';
import { TemplatesModule } from '../../templates/templates.module.js';
import { TrackingModule } from '../../tracking/tracking.module.js';
import { UnsubscribeModule } from '../../unsubscribe/unsubscribe.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { CampaignGate } from '../application/campaign-gate.js';
import { MailTransports } from '../application/mail-transport.port.js';
import { MailRoutes } from '../application/mail-routes.js';
import { MailSigner } from '../application/mail-signer.js';
import { MessagePauses } from '../application/message-pauses.js';
import { MessageComposer } from '../application/message-composer.js';
import { MessagePreferenceChecks } from '../application/message-preference-checks.js';
import { RecipientSendStates } from '../application/recipient-send-states.js';
import { MessageTemplates } from '../application/message-templates.js';
import { MessageTexts } from '../application/message-texts.js';
import { SendAttempts } from '../application/send-attempts.js';
import { SendBatches } from '../application/send-batches.js';
import { GateRulesReader } from '../application/gate-rules-reader.js';
import { SendReviews } from '../application/send-reviews.js';
import { SendReviewRepository } from '../persistence/send-review.repository.js';
import { SendGates } from '../application/send-gates.js';
import { ThrottleQueues } from '../application/throttle-queues.js';
import { SenderService } from '../application/sender.service.js';
import { SubjectTemplates } from '../application/subject-templates.js';
import { DeliveryModule } from '../delivery.module.js';
import { SendGatesRepository } from '../persistence/send-gates.repository.js';
import { LatestEventsRepository } from '../persistence/latest-events.repository.js';
import { SendLedgerRepository } from '../persistence/send-ledger.repository.js';
import { ThrottleQueueRepository } from '../persistence/throttle-queue.repository.js';
import { PromotionalSendingRepository } from '../persistence/promotional-sending.repository.js';
import { ConfiguredTransports } from '../transport/configured-transports.js';

const ORDER = 'workspace_id, environment, priority';

/**
 * Returns, for tenants that are not suspended, the earliest message of each priority, the queues of throttled sources,
 * and the reviews of held messages. Tenants with messages of dead processes are due immediately ($1).
 * It steps from one tenant to the next through the index, so it costs the same with a million queued messages as with
 * one.
 */
export const DUE_SENDS = `
  WITH RECURSIVE heads AS (
    (SELECT ${ORDER}, next_attempt_at FROM email_logs WHERE status = 'queued' ORDER BY ${ORDER}, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.* FROM heads h CROSS JOIN LATERAL (
      SELECT ${ORDER}, next_attempt_at FROM email_logs
      WHERE status = 'queued' AND (${ORDER}) > (h.workspace_id, h.environment, h.priority)
      ORDER BY ${ORDER}, next_attempt_at LIMIT 1) AS n),
  senders AS MATERIALIZED (
    SELECT DISTINCT workspace_id, environment, sender FROM email_logs WHERE status = 'sending')
  SELECT workspace_id, environment, min(due_at) AS due_at FROM (
    SELECT workspace_id, environment, next_attempt_at AS due_at FROM heads h WHERE NOT EXISTS (
      SELECT 1 FROM workspaces w WHERE w.id = h.workspace_id AND (w.status = 'suspended' OR w.deletion_at IS NOT NULL))
    UNION ALL
    SELECT workspace_id, environment, look_at FROM send_lines WHERE look_at IS NOT NULL
    UNION ALL
    SELECT workspace_id, environment, look_at FROM send_reviews WHERE look_at IS NOT NULL
    UNION ALL
    SELECT workspace_id, environment, $1::timestamptz FROM senders s WHERE ${ProcessLease.isExpiredSql('s.sender')}) AS d
  GROUP BY workspace_id, environment`;

/** Also finds tenants with outcomes that only this process knows. */
@Injectable()
export class SendsPoller extends TenantPoller {
  constructor(
    database: Database,
    private readonly sender: SenderService,
  ) {
    super(WAKE_UPS.sends, { sql: DUE_SENDS, values: (now) => [now] }, database);
  }

  override async findDue(now: Date): Promise<DueWork> {
    const work = dueWork([...(await this.dueTenants(now)), ...this.sender.unstoredTenants(now)], now);
    this.sender.recordDue(work.scopes);
    return work;
  }
}

export const WORK = defineWork({
  wakeUp: WAKE_UPS.sends,
  imports: [
    ContactsModule,
    DeliveryModule,
    SuppressionsModule,
    DomainsModule,
    LimitsModule,
    PreferencesModule,
    TemplatesModule,
    TrackingModule,
    UnsubscribeModule,
    WorkspacesModule,
  ],
  providers: [
    { provide: MailTransports, useClass: ConfiguredTransports },
    CampaignGate,
    GateRulesReader,
    MailRoutes,
    MailSigner,
    MessageComposer,
    MessagePreferenceChecks,
    MessagePauses,
    RecipientSendStates,
    MessageTemplates,
    MessageTexts,
    SendAttempts,
    SendBatches,
    SendGates,
    SendGatesRepository,
    LatestEventsRepository,
    SendLedgerRepository,
    ThrottleQueueRepository,
    ThrottleQueues,
    SendReviewRepository,
    SendReviews,
    SenderService,
    PromotionalSendingRepository,
    SubjectTemplates,
  ],
  // The tenants share the lanes of the process (send-lanes).
  concurrency: 8,
  dueTenants: SendsPoller,
  process: {
    with: SenderService,
    run: (sender, scope, mayContinue) => sender.drain(scope, mayContinue),
    // Stores outcomes that only this process knows, before they are lost with it.
    finish: (sender) => sender.storeRemaining(),
  },
});
