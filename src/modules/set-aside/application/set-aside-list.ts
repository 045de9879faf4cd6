/** The list of dead letters as modules with a queue use it: they add rows, and remove those with no work left. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { SetAsideCode, SetAsideWork, WorkKind } from '../domain/set-aside-work.js';
import { SetAsideRepository } from '../persistence/set-aside.repository.js';

@Injectable()
export class SetAsideList {
  constructor(
    private readonly repository: SetAsideRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Adds a row that its owner has taken out of its queue in the same transaction. */
  async note(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    row: { readonly subjectId: string; readonly code: SetAsideCode },
    now: Date,
  ): Promise<void> {
    await this.repository.add(tx, scope, { kind, ...row }, now);
    tx.afterCommit(() => this.metrics.setAside.inc({ kind }));
  }

  /** The dead letters of these rows, by row. */
  async of(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, SetAsideWork>> {
    const work = subjectIds.length > 0 ? await this.repository.ofSubjects(tx, scope, kind, subjectIds) : [];
    return new Map(work.map((one) => [one.subjectId, one]));
  }

  /** Removes rows from the list that no longer exist or need no more work. */
  async forget(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    subjectIds: readonly string[],
  ): Promise<void> {
    if (subjectIds.length > 0) await this.repository.forget(tx, scope, kind, subjectIds);
  }
}
