/**
 * Erases a contact's data from runs: the reference to the contact, its screenshots, and texts of findings that may
 * contain its data. A run in progress starts again, with sample values.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { PersonalDataEraser, type ErasedPerson } from '../../contacts/application/personal-data.port.js';
import { RULES } from '../domain/rules/catalogue.js';
import { InspectFindingRepository } from '../persistence/inspect-finding.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';
import { InspectScreenshotRepository } from '../persistence/inspect-screenshot.repository.js';

const TITLES = new Map(Object.values(RULES).map(({ code, title }) => [code, title]));

@Injectable()
export class InspectErasure extends PersonalDataEraser {
  readonly rows = 'inspections';

  constructor(
    private readonly jobs: InspectJobRepository,
    private readonly findings: InspectFindingRepository,
    private readonly screenshots: InspectScreenshotRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async erase(tx: Transaction, scope: TenantScope, { contactId }: ErasedPerson): Promise<number> {
    const ids = await this.jobs.idsOfContact(tx, scope, contactId);
    if (ids.length === 0) return 0;
    await this.jobs.removeContact(tx, scope, ids, this.clock.now());
    await this.screenshots.removeOf(tx, scope, ids);
    await this.findings.forgetMessages(tx, scope, ids, TITLES);
    return ids.length;
  }
}
