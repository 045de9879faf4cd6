/** The list of dead letters as modules with a queue use it: they add rows, and remove those with no work left. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { DeadLetterCode, DeadLetter, WorkKind } from '../domain/dead-letter.js';
import { DeadLetterRepository } from '../persistence/dead-letter.repository.js';

@Injectable()
export class DeadLetterList {
  constructor(
    private readonly repository: DeadLetterRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Adds a row that its owner has taken out of its queue in the same transaction. */
  async add(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    row: { readonly subjectId: string; readonly code: DeadLetterCode },
    now: Date,
  ): Promise<void> {
    await this.repository.add(tx, scope, { kind, ...row }, now);
    tx.afterCommit(() => this.metrics.deadLetters.inc({ kind }));
  }

  /** The dead letters of these rows, by row. */
  async bySubject(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, DeadLetter>> {
    const work =
      subjectIds.length > 0 ? await this.repository.listBySubject(tx, scope, kind, subjectIds) : [];
    return new Map(work.map((one) => [one.subjectId, one]));
  }

  /** Removes rows from the list that no longer exist or need no more work. */
  async remove(
    tx: Transaction,
    scope: TenantScope,
    kind: WorkKind,
    subjectIds: readonly string[],
  ): Promise<void> {
    if (subjectIds.length > 0) await this.repository.removeBySubject(tx, scope, kind, subjectIds);
  }
}
