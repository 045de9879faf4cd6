/** A workspace's uses of its sliding-window allowances; at most as many as the allowance permits. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { AllowanceUse } from '../domain/allowance.js';

@Entity('allowances')
export class AllowanceEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) name: string;
  @Column({ type: 'jsonb', default: [] }) uses: readonly AllowanceUse[];
}
