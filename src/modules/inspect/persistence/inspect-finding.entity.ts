/** One finding of one run (section 4.7); its mark holds its status. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { FindingSubject, SourceEdit } from '../domain/findings/finding.js';
import type { RenderClient } from '../domain/rendering/render-client.js';
import type { FindingCategory, FindingSeverity } from '../domain/rules/rule.js';

@Entity('inspect_findings')
@Index('inspect_findings_of_job', ['workspaceId', 'jobId', 'place'], { unique: true })
export class InspectFindingEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'job_id', type: 'uuid' }) jobId: string;
  @Column({ name: 'template_id', type: 'uuid' }) templateId: string;
  /** A hash of what it points at. */
  @Column({ type: 'text' }) target: string;
  @Column({ type: 'text' }) code: string;
  @Column({ type: 'text' }) category: FindingCategory;
  @Column({ type: 'text' }) severity: FindingSeverity;
  /** Its position among the findings of its run, most severe first. */
  @Column({ type: 'integer' }) place: number;
  @Column({ type: 'text' }) message: string;
  @Column({ type: 'integer', nullable: true }) line: number | null;
  @Column({ type: 'integer', nullable: true }) column: number | null;
  @Column(optionalText('snippet')) snippet: string | null;
  @Column({ type: 'jsonb' }) clients: readonly RenderClient[];
  /** What would fix it in the version that was inspected. */
  @Column({ type: 'jsonb', nullable: true }) edits: readonly SourceEdit[] | null;
  /** Whether the edits are a guess that the author has to check. */
  @Column({ name: 'is_suggestion', type: 'boolean', default: false }) isSuggestion: boolean;
  /** Which subject it is about, in a run that was given one in place of the template's own. */
  @Column(optionalText('subject')) subject: FindingSubject | null;
}
