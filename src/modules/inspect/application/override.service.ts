/** Issues overrides: permissions to send a template in spite of its findings (section 4.7: override). */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Author } from '../../../kernel/principal.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { TemplateService } from '../../templates/application/template.service.js';
import {
  hashOfOverride,
  MAX_OVERRIDES,
  OVERRIDE_BYTES,
  OVERRIDE_TTL_MS,
  overrideToken,
  type Override,
} from '../domain/gate/override.js';
import { OverrideRepository } from '../persistence/override.repository.js';

/** A new override with its token, which is shown only once. */
export interface NewOverride extends Pick<Override, 'templateSlug' | 'templateVersion' | 'expiresAt'> {
  readonly token: string;
}

@Injectable()
export class OverrideService {
  constructor(
    private readonly database: Database,
    private readonly overrides: OverrideRepository,
    private readonly templates: TemplateService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a token for the template's current version, and records its author and reason in the audit log.
   * @throws DomainError template_not_found; conflict if the workspace already has MAX_OVERRIDES.
   */
  async create(scope: WorkspaceScope, slug: string, reason: string, author: Author): Promise<NewOverride> {
    const token = overrideToken(randomBytes(OVERRIDE_BYTES));
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const { id: templateId, version } = await this.templates.locked(tx, scope, slug);
      await this.assertBelowLimit(tx, scope, now);
      const expiresAt = new Date(now.getTime() + OVERRIDE_TTL_MS);
      const versionKey = { templateSlug: slug, templateVersion: version };
      await this.overrides.insert(tx, scope, {
        ...{ id: uuidv7(now.getTime()), tokenHash: hashOfOverride(token), templateId, ...versionKey, reason },
        ...{ createdBy: author.actor, createdAt: now, expiresAt },
      });
      await this.audit.record(tx, scope, author, {
        action: 'inspect_override_created',
        subjectId: templateId,
        before: null,
        after: { ...versionKey, reason, expiresAt: expiresAt.toISOString() },
      });
      return { token, ...versionKey, expiresAt };
    });
  }

  /** @throws DomainError conflict. */
  private async assertBelowLimit(tx: Transaction, scope: WorkspaceScope, now: Date): Promise<void> {
    await this.overrides.removeExpired(tx, scope, now);
    if ((await this.overrides.count(tx, scope)) >= MAX_OVERRIDES)
      throw new DomainError(
        'conflict',
        `The workspace already has ${MAX_OVERRIDES} override tokens. The oldest expires within a day.`,
      );
  }
}
