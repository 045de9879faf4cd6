/** The billing data that an owner can read. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Slice, PageRequest } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { WorkspaceBilling } from '../../workspaces/application/workspace-billing.js';
import type { BillingRecord } from '../../workspaces/domain/workspace.js';
import { BillingEventRepository, type StoredBillingEvent } from '../persistence/billing-event.repository.js';

@Injectable()
export class BillingHistory {
  constructor(
    private readonly workspaces: WorkspaceBilling,
    private readonly events: BillingEventRepository,
  ) {}

  /**
   * The billing record, section 2.10.
   * @throws DomainError not_found.
   */
  async record(scope: WorkspaceScope): Promise<BillingRecord> {
    const record = await this.workspaces.find(scope);
    if (!record) throw new DomainError('not_found', 'No such workspace exists.');
    return record;
  }

  /** A page of the payment providers' events, newest first. */
  async page(scope: WorkspaceScope, page: PageRequest): Promise<Slice<StoredBillingEvent>> {
    return this.events.page(scope, page);
  }
}
