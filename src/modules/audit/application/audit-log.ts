/** The audit log of the control plane: who changed what, the values before and after, and from which network. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { isStorableText } from '../../../kernel/json.js';
import type { Slice, PageRequest } from '../../../kernel/page-cursor.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { AuditEntry, AuditChange } from '../domain/audit-entry.js';
import { AuditRepository } from '../persistence/audit.repository.js';

@Injectable()
export class AuditLog {
  constructor(
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** Records a change in the same transaction, so that both commit or neither does. */
  async record(tx: Transaction, scope: WorkspaceScope, author: Author, change: AuditChange): Promise<void> {
    const at = this.clock.now();
    const { actor, network } = author;
    await this.entries.add(tx, scope, { id: uuidv7(at.getTime()), at, actor, network, ...change });
  }

  /** A page of changes, the latest first. @param subjectId the id of the changed record; null for all. */
  async page(scope: WorkspaceScope, subjectId: string | null, page: PageRequest): Promise<Slice<AuditEntry>> {
    if (subjectId !== null && !isStorableText(subjectId)) return { items: [], hasNextPage: false };
    return this.entries.page(scope, subjectId, page);
  }
}
