/**
 * The one way in which a flow that exists changes, settings included: locked from the moment at which it is read, so that
 * no change is lost, and stored as a whole. The table announces what is stored, so no process goes on with what it has
 * kept of the flow, also where the version stays the same; and it notes every change of status in `flow_statuses` by a
 * trigger (`note_status`), so that none is missed, whichever way it came about. No code writes that table.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Flow } from '../domain/flow.js';
import { FlowVersionRepository } from '../persistence/flow-version.repository.js';
import { FlowRepository } from '../persistence/flow.repository.js';
import { FlowChanges } from './flow-changes.port.js';

/** Who changes a flow, and what is told of it. */
export interface ChangeNote {
  readonly changedBy: string;
  readonly changeSummary: string | null;
}

@Injectable()
export class ChangedFlows {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly versions: FlowVersionRepository,
    private readonly changes: FlowChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes a flow.
   * @param next the flow that follows, and all that has to happen with it in the transaction; it may run again.
   * @throws DomainError flow_not_found, also for an archived one.
   */
  async change(
    scope: WorkspaceScope,
    id: string,
    next: (tx: Transaction, flow: Flow, now: Date) => Promise<Flow>,
  ): Promise<Flow> {
    return this.database.inScope(scope, async (tx) => {
      const flow = await this.find(tx, scope, id, true);
      const now = this.clock.now();
      const after = await next(tx, flow, now);
      await this.flows.store(tx, scope, after);
      await this.changes.changed(tx, scope, { before: flow, after }, now);
      return after;
    });
  }

  /**
   * As `change`, for an archived flow.
   * @throws DomainError flow_not_found, also for one that is not archived.
   */
  async changeArchived(
    scope: WorkspaceScope,
    id: string,
    next: (tx: Transaction, flow: Flow, now: Date) => Promise<Flow>,
  ): Promise<Flow> {
    return this.database.inScope(scope, async (tx) => {
      const flow = isUuid(id) ? await this.flows.lockArchived(tx, scope, id) : undefined;
      if (!flow) throw new DomainError('flow_not_found', `No archived flow has the ID ${id}.`);
      const after = await next(tx, flow, this.clock.now());
      await this.flows.store(tx, scope, after);
      return after;
    });
  }

  /** Keeps a flow, which is locked, as a version before it changes. */
  async snapshot(
    tx: Transaction,
    scope: WorkspaceScope,
    flow: Flow,
    note: ChangeNote,
    now: Date,
  ): Promise<void> {
    const details = { ...note, id: uuidv7(now.getTime()), createdAt: now };
    await this.versions.snapshot(tx, scope, flow.id, details);
  }

  /**
   * One flow.
   * @param lock keeps trips from starting and others from changing it until the transaction ends.
   * @throws DomainError flow_not_found, also for an archived one.
   */
  async find(tx: Transaction, scope: WorkspaceScope, id: string, lock = false): Promise<Flow> {
    const flow = isUuid(id) ? await this.flows.find(tx, scope, id, lock) : undefined;
    if (!flow) throw new DomainError('flow_not_found', `No flow has the ID ${id}.`);
    return flow;
  }
}
