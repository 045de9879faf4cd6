/** When a key was last used. A separate table, because changes of keys invalidate the caches of every process. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('api_key_uses')
export class ApiKeyUseEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'key_id', type: 'uuid' }) keyId: string;
  @Column(moment('last_used_at')) lastUsedAt: Date;
}
