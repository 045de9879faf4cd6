/**
 * Fixes findings in their template where a mechanical fix exists, and saves a new version as if its author had written
 * it.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { Template } from '../../templates/domain/template.js';
import { applyEdits, compatibleFixes } from '../domain/fixes/apply-edits.js';
import type { SkippedFix } from '../domain/fixes/skipped-fix.js';
import { type StoredFix, InspectFindingRepository } from '../persistence/inspect-finding.repository.js';

export interface FixedTemplate {
  readonly template: Template;
  /** The ids of the findings that were fixed. */
  readonly applied: readonly string[];
  /** The other findings, each with the reason. */
  readonly skipped: readonly SkippedFix[];
}

@Injectable()
export class FindingFixes {
  constructor(
    private readonly database: Database,
    private readonly findings: InspectFindingRepository,
    private readonly templates: TemplateService,
  ) {}

  /**
   * Applies the fixes of the findings, in the given order; if there are none, the template stays as it is. Skips
   * findings of another version than the current one, findings that only the author can fix, and fixes that overlap
   * another fix.
   * @throws DomainError template_not_found, finding_not_found; conflict if the template changes meanwhile.
   */
  async applyFixes(
    scope: WorkspaceScope,
    slug: string,
    findingIds: readonly string[],
    actor: string,
  ): Promise<FixedTemplate> {
    const template = await this.templates.getBySlug(scope, slug);
    const found = await this.find(scope, template.id, [...new Set(findingIds)]);
    const usable = found.filter(({ version, edits }) => version === template.version && edits.length > 0);
    const compatible = compatibleFixes(template.bodyHtml, usable);
    const bodyHtml = applyEdits(
      template.bodyHtml,
      compatible.flatMap(({ edits }) => edits),
    );
    const applied = new Set(compatible.map(({ id }) => id));
    const skipped = found
      .filter(({ id }) => !applied.has(id))
      .map(({ id, version, edits }): SkippedFix => {
        if (version !== template.version) return { findingId: id, reason: 'other_version' };
        return { findingId: id, reason: edits.length > 0 ? 'overlap' : 'not_mechanical' };
      });
    if (applied.size === 0) return { template, applied: [], skipped };
    const codes = [...new Set(compatible.map(({ code }) => code))].sort().join(', ');
    const versionChange = {
      expectedVersion: template.version,
      changeSummary: `Quality analysis: ${codes}`.slice(0, 500),
    };
    const after = await this.templates.update(scope, slug, { bodyHtml }, versionChange, actor);
    return { template: after, applied: [...applied], skipped };
  }

  /** The fixes, in the order of the ids. */
  private async find(
    scope: WorkspaceScope,
    templateId: string,
    ids: readonly string[],
  ): Promise<StoredFix[]> {
    const rows = await this.database.inScope(scope, (tx) =>
      this.findings.fixesOf(tx, scope, templateId, ids),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const fix = byId.get(id.toLowerCase());
      if (!fix) throw new DomainError('finding_not_found', `This template has no finding with the ID ${id}.`);
      return fix;
    });
  }
}
