/** Another asset of a platform, by name, for planning a migration. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { optionalText, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { SourceAsset } from '../domain/source-record.js';

@Entity('import_findings')
export class ImportFindingEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ name: 'job_id', type: 'uuid' }) jobId: string;
  /** Number of the asset within its job, from 1. */
  @PrimaryColumn({ type: 'integer' }) number: number;
  @Column({ type: 'text' }) kind: SourceAsset['kind'];
  @Column({ type: 'text' }) name: string;
  @Column(optionalText('detail')) detail: string | null;
}
