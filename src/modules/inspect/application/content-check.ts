/** The content check of a run (section 4.7), with the data of the sender and of a contact that it needs. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { Threads } from '../../../platform/threads/threads.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { maskerFor, maskPhone } from '../../contacts/domain/masking.js';
import type { PreviewSample } from '../../templates/domain/preview.js';
import type { Analysis } from '../domain/analysis/analysis.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import { ANALYSE } from '../domain/inspect-tasks.js';
import { PreflightService } from './preflight.service.js';

@Injectable()
export class ContentCheck {
  constructor(
    private readonly database: Database,
    private readonly contacts: KnownContacts,
    private readonly preflights: PreflightService,
    private readonly threads: Threads,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /** @throws DomainError work_too_costly, service_unavailable as Threads.run. */
  async analyse(
    scope: TenantScope,
    { content, preheader, channel, contactId }: ClaimedJob,
  ): Promise<Analysis> {
    return this.threads.run(scope.workspaceId, ANALYSE, {
      ...{ content, preheader, channel },
      sender: await this.preflights.senderOf(scope),
      additions: await this.preflights.additionsOf(scope),
      sample: await this.sampleOf(scope, contactId),
      allowedHosts: this.config.inspectAllowHosts,
      now: this.clock.now(),
    });
  }

  /**
   * The contact's data, with its addresses masked: members who may not read contacts see the result, and its links are
   * opened. Null to use sample values, also if the contact no longer exists.
   */
  private async sampleOf(scope: TenantScope, contactId: string | null): Promise<PreviewSample | null> {
    if (contactId === null) return null;
    const [contact] = await this.database.inScope(scope, (tx) =>
      this.contacts.find(tx, scope, 'id', [contactId]),
    );
    if (!contact) return null;
    const { createdAt, updatedAt, phone, ...maskedContact } = maskerFor(contact.phone)(contact);
    const fields = {
      ...maskedContact,
      phone: phone === null ? null : maskPhone(phone),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
    return { contact: fields as unknown as JsonObject, triggerEvent: null, additionalEvents: null };
  }
}
