/** An audit entry. The service may insert and read rows, but not update or delete them. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '../../../kernel/json.js';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('audit_log')
@Index('audit_log_of_subject', ['workspaceId', 'subjectId', 'id'])
export class AuditEntryEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column(moment('at')) at: Date;
  @Column({ type: 'text' }) actor: string;
  @Column(optionalText('network')) network: string | null;
  @Column({ type: 'text' }) action: string;
  @Column({ name: 'subject_id', type: 'text' }) subjectId: string;
  @Column({ type: 'jsonb', nullable: true }) before: JsonObject | null;
  @Column({ type: 'jsonb', nullable: true }) after: JsonObject | null;
}
