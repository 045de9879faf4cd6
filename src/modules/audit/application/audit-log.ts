/** The audit log of the control plane: who changed what, the values before and after, and from which network. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { isStorableText } from '../../../kernel/json.js';
import type { Slice, WantedPage } from '../../../kernel/place.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { AuditEntry, AuditNote } from '../domain/audit-entry.js';
import { AuditRepository } from '../persistence/audit.repository.js';

@Injectable()
export class AuditLog {
  constructor(
    private readonly entries: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /** Records a change in the same transaction, so that both commit or neither does. */
  async note(tx: Transaction, scope: WorkspaceScope, author: Author, note: AuditNote): Promise<void> {
    const at = this.clock.now();
    const { actor, network } = author;
    await this.entries.add(tx, scope, { id: uuidv7(at.getTime()), at, actor, network, ...note });
  }

  /** A page of changes, the latest first. @param subjectId the id of the changed record; null for all. */
  async page(scope: WorkspaceScope, subjectId: string | null, page: WantedPage): Promise<Slice<AuditEntry>> {
    if (subjectId !== null && !isStorableText(subjectId)) return { items: [], hasNextPage: false };
    return this.entries.page(scope, subjectId, page);
  }
}
