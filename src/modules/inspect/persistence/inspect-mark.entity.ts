/** A member's mark on a finding (section 4.7). It applies to the same finding of every later run. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';
import type { MarkStatus } from '../domain/findings/finding-mark.js';

@Entity('inspect_marks')
export class InspectMarkEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'template_id', type: 'uuid' }) templateId: string;
  @PrimaryColumn({ type: 'text' }) code: string;
  @PrimaryColumn({ type: 'text' }) target: string;
  @Column({ type: 'text' }) status: MarkStatus;
  @Column(optionalMoment('snoozed_until')) snoozedUntil: Date | null;
  @Column(optionalText('reason')) reason: string | null;
  @Column({ name: 'marked_by', type: 'text' }) markedBy: string;
  @Column(moment('marked_at')) markedAt: Date;
}
