/** The digest of a contact or an address that a job has seen, so that each counts once. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('import_seen')
export class ImportSeenEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ name: 'job_id', type: 'uuid' }) jobId: string;
  @PrimaryColumn({ name: 'key_hash', type: 'bytea' }) keyHash: Buffer;
}
