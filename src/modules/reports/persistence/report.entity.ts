/** The table of reports. Template reports are created with the first list of a workspace. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../kernel/json.js';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';

@Entity('reports')
@Index('reports_templates', ['workspaceId', 'reportType'], { unique: true, where: 'is_template' })
export class ReportEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) name: string;
  @Column(optionalText('description')) description: string | null;
  @Column({ name: 'report_type', type: 'text' }) reportType: string;
  @Column({ type: 'text' }) visibility: string;
  @Column({ type: 'jsonb' }) config: JsonObject;
  @Column({ name: 'is_template', type: 'boolean', default: false }) isTemplate: boolean;
  /** A member; null for templates, and for reports created with an API key. */
  @Column({ name: 'created_by', type: 'uuid', nullable: true }) createdBy: string | null;
  @Column({ type: 'integer', default: 1 }) version: number;
  @Column(optionalMoment('last_viewed_at')) lastViewedAt: Date | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
