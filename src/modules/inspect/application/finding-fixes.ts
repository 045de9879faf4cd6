/** Mends findings in their template, where that is mechanical: a new version, as if its author had written it. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { TemplateService } from '../../templates/application/template.service.js';
import type { Template } from '../../templates/domain/template.js';
import { applyEdits } from '../domain/fixes/apply-edits.js';
import type { SourceEdit } from '../domain/findings/finding.js';
import { type FoundRow, InspectFindingRepository } from '../persistence/inspect-finding.repository.js';
import { InspectJobRepository } from '../persistence/inspect-job.repository.js';

export interface FixedTemplate {
  readonly template: Template;
  /** Findings that had something to mend them; the others are their author's to mend. */
  readonly applied: number;
}

@Injectable()
export class FindingFixes {
  constructor(
    private readonly database: Database,
    private readonly findings: InspectFindingRepository,
    private readonly jobs: InspectJobRepository,
    private readonly templates: TemplateService,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies what would mend the findings, which are of runs of the template's current version; where nothing would, the
   * template stays as it is.
   * @throws DomainError template_not_found, finding_not_found; conflict where the template has changed since.
   */
  async applyFixes(
    scope: WorkspaceScope,
    slug: string,
    findingIds: readonly string[],
    actor: string,
  ): Promise<FixedTemplate> {
    const template = await this.templates.getBySlug(scope, slug);
    const found = await this.database.inScope(scope, async (tx) => {
      const rows: FoundRow[] = [];
      for (const id of new Set(findingIds)) rows.push(await this.find(tx, scope, template, id));
      return rows;
    });
    const mended = found.flatMap(({ code, edits }) => (edits && edits.length > 0 ? [{ code, edits }] : []));
    const edits: SourceEdit[] = mended.flatMap((finding) => finding.edits);
    const bodyHtml = applyEdits(template.bodyHtml, edits);
    if (bodyHtml === template.bodyHtml) return { template, applied: 0 };
    const codes = [...new Set(mended.map(({ code }) => code))].sort().join(', ');
    const note = {
      expectedVersion: template.version,
      changeSummary: `Quality analysis: ${codes}`.slice(0, 500),
    };
    const after = await this.templates.update(scope, slug, { bodyHtml }, note, actor);
    return { template: after, applied: mended.length };
  }

  private async find(
    tx: Transaction,
    scope: WorkspaceScope,
    template: Template,
    id: string,
  ): Promise<FoundRow> {
    const finding = await this.findings.find(tx, scope, id, this.clock.now());
    const job = finding && (await this.jobs.find(tx, scope, finding.jobId));
    if (!finding || !job || finding.templateId !== template.id)
      throw new DomainError('finding_not_found', `No finding of this template has the id ${id}.`);
    if (job.templateVersion === template.version) return finding;
    throw new DomainError(
      'conflict',
      `The finding ${id} is of version ${job.templateVersion}, the template is at ${template.version}: have it examined again.`,
      { current_version: template.version },
    );
  }
}
