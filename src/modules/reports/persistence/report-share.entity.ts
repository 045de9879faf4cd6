/** The share link of a report, by the hash of its token; the token itself is shown only once. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('report_shares')
@Index('report_shares_token', ['tokenHash'], { unique: true })
export class ReportShareEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'report_id', type: 'uuid' }) reportId: string;
  /** The environment in which it was created, and whose data it shows. */
  @Column({ type: 'text' }) environment: Environment;
  @Column({ name: 'token_hash', type: 'text' }) tokenHash: string;
  @Column(moment('expires_at')) expiresAt: Date;
  @Column(moment('created_at')) createdAt: Date;
}
