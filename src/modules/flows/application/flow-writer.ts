/**
 * The only code that changes an existing flow, its settings included. It locks the flow before reading it, so no
 * update is lost, and stores the whole flow. A trigger on the table announces each write, so no process keeps using a
 * cached copy, even if the version stays the same. The trigger `note_status` records each change of status in
 * `flow_statuses`; no code writes to that table.
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

/** Who changes a flow, and how the change is described. */
export interface ChangeNote {
  readonly changedBy: string;
  readonly changeSummary: string | null;
}

@Injectable()
export class FlowWriter {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly versions: FlowVersionRepository,
    private readonly changes: FlowChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes a flow.
   * @param next returns the new flow and does everything else that belongs in the transaction; it may be called
   *   again. Undefined, without having written anything, changes nothing.
   * @throws DomainError flow_not_found, also for an archived flow.
   */
  async change<Next extends Flow | undefined>(
    scope: WorkspaceScope,
    id: string,
    next: (tx: Transaction, flow: Flow, now: Date) => Promise<Next>,
  ): Promise<Next> {
    return this.database.inScope(scope, async (tx) => {
      const flow = await this.find(tx, scope, id, true);
      const now = this.clock.now();
      const after = await next(tx, flow, now);
      if (after) {
        await this.flows.store(tx, scope, after);
        await this.changes.handleChange(tx, scope, { before: flow, after }, now);
      }
      return after;
    });
  }

  /**
   * Like `change`, for an archived flow.
   * @throws DomainError flow_not_found, also for a flow that is not archived.
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

  /** Stores a locked flow as a version before it changes. */
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
   * Returns one flow.
   * @param lock prevents trip starts and other changes until the transaction ends.
   * @throws DomainError flow_not_found, also for an archived flow.
   */
  async find(tx: Transaction, scope: WorkspaceScope, id: string, lock = false): Promise<Flow> {
    const flow = isUuid(id) ? await this.flows.find(tx, scope, id, lock) : undefined;
    if (!flow) throw new DomainError('flow_not_found', `No flow has the ID ${id}.`);
    return flow;
  }
}
