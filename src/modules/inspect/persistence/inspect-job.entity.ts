/** A run of quality analysis (section 4.7): what it inspects, its progress, and its result. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';
import type { InspectChannel, InspectMode, InspectTrigger, JobStatus } from '../domain/runs/inspect-job.js';
import type { CheckRecord } from '../domain/runs/check.js';
import type { FindingSummary } from '../domain/findings/finding-summary.js';
import type { InspectedContent } from '../domain/analysis/analysis.js';

@Entity('inspect_jobs')
@Index('inspect_jobs_of_template', ['workspaceId', 'templateId', 'createdAt'])
@Index('inspect_jobs_created', ['workspaceId', 'createdAt'])
@Index('inspect_jobs_due', ['workspaceId', 'mode', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index('inspect_jobs_of_contact', ['workspaceId', 'contactId'], { where: 'contact_id IS NOT NULL' })
export class InspectJobEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  /** The environment of the request, to which the contact belongs. The job belongs to the workspace. */
  @Column({ type: 'text' }) environment: Environment;
  @Column({ name: 'template_id', type: 'uuid' }) templateId: string;
  @Column({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @Column({ name: 'template_version', type: 'integer' }) templateVersion: number;
  /** As it was when the run was requested; null once the run has ended. */
  @Column({ type: 'jsonb', nullable: true }) content: InspectedContent | null;
  @Column({ type: 'text' }) channel: InspectChannel;
  @Column({ type: 'text' }) mode: InspectMode;
  @Column({ type: 'text' }) trigger: InspectTrigger;
  /** Whether the caller gave a subject, in place of the template's own. */
  @Column({ name: 'subject_given', type: 'boolean', default: false }) subjectGiven: boolean;
  /** Whether the run has inspected the template's own subject. */
  @Column({ name: 'own_subject_examined', type: 'boolean', default: true }) ownSubjectExamined: boolean;
  @Column(optionalText('preheader')) preheader: string | null;
  @Column({ name: 'contact_id', type: 'uuid', nullable: true }) contactId: string | null;
  /**
   * Whether it was requested with a contact, even one erased since: its result does not describe the template alone.
   */
  @Column({ name: 'contact_given', type: 'boolean', default: false }) contactGiven: boolean;
  @Column({ type: 'text' }) status: JobStatus;
  /** Per cent. */
  @Column({ type: 'smallint', default: 0 }) progress: number;
  @Column({ type: 'smallint', nullable: true }) score: number | null;
  @Column({ name: 'can_send', type: 'boolean', nullable: true }) canSend: boolean | null;
  @Column({ type: 'jsonb', nullable: true }) summary: FindingSummary | null;
  @Column({ type: 'jsonb' }) checks: readonly CheckRecord[];
  @Column({ name: 'credits_charged', type: 'smallint' }) creditsCharged: number;
  @Column(optionalText('error')) error: string | null;
  @Column({ type: 'smallint', default: 0 }) attempts: number;
  /** When a worker is to make the run, or to check on its worker; null once it has ended. */
  @Column(optionalMoment('due_at')) dueAt: Date | null;
  /** Presence number of the process that works on it. */
  @Column({ type: 'integer', nullable: true }) worker: number | null;
  @Column({ name: 'requested_by', type: 'text' }) requestedBy: string;
  @Column(moment('created_at')) createdAt: Date;
  @Column(optionalMoment('started_at')) startedAt: Date | null;
  @Column(optionalMoment('completed_at')) completedAt: Date | null;
}
