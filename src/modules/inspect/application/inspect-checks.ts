/**
 * The checks of a run, in their order (section 4.7). A check that fails says so and leaves the others to go on; only the
 * content must have been looked at, since the others work on what it comes to.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Threads } from '../../../platform/threads/threads.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { maskerFor, maskPhone } from '../../contacts/domain/masking.js';
import type { PreviewSample } from '../../templates/domain/preview.js';
import { ANALYSE } from '../domain/inspect-tasks.js';
import type { Analysis } from '../domain/analysis.js';
import type { CheckOutcome } from '../domain/check.js';
import type { ClaimedJob } from '../domain/inspect-job.js';
import type { Examination } from './inspect-results.js';
import { PreflightService } from './preflight.service.js';

@Injectable()
export class InspectChecks {
  constructor(
    private readonly database: Database,
    private readonly contacts: KnownContacts,
    private readonly preflights: PreflightService,
    private readonly threads: Threads,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the checks of a run.
   * @param signal ends it before its time.
   * @param progress is told how far it is, in per cent.
   * @throws DomainError work_too_costly, service_unavailable as Threads.run.
   */
  async examine(
    { workspaceId }: WorkspaceScope,
    job: ClaimedJob,
    signal: AbortSignal,
    progress: (percent: number) => Promise<void>,
  ): Promise<Examination> {
    const scope: TenantScope = { workspaceId, environment: job.environment };
    const analysis = await this.analyse(scope, job);
    signal.throwIfAborted();
    await progress(20);
    return { outcomes: [contentOutcome(analysis)] };
  }

  private async analyse(scope: TenantScope, job: ClaimedJob): Promise<Analysis> {
    const { content, preheader, channel } = job;
    return this.threads.run(scope.workspaceId, ANALYSE, {
      ...{ content, preheader, channel },
      sender: await this.preflights.senderOf(scope),
      sample: await this.sampleOf(scope, job.contactId),
      now: this.clock.now(),
    });
  }

  /**
   * The contact's data, with its addresses masked: what is made of it is seen by members who may not read contacts, and
   * its links are opened. Null for sample values, also where the contact is gone.
   */
  private async sampleOf(scope: TenantScope, contactId: string | null): Promise<PreviewSample | null> {
    if (contactId === null) return null;
    const [contact] = await this.database.inScope(scope, (tx) =>
      this.contacts.find(tx, scope, 'id', [contactId]),
    );
    if (!contact) return null;
    const { createdAt, updatedAt, phone, ...told } = maskerFor(contact.phone)(contact);
    const fields = {
      ...told,
      phone: phone === null ? null : maskPhone(phone),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
    return { contact: fields as unknown as JsonObject, triggerEvent: null, additionalEvents: null };
  }
}

function contentOutcome({ findings, message, resourcesCut }: Analysis): CheckOutcome {
  const detail = !message
    ? 'The message does not render.'
    : resourcesCut
      ? 'There are more links and images than are looked at.'
      : null;
  return { name: 'content', status: 'done', detail, findings };
}
