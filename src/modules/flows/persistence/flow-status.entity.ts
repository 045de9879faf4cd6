/** A change of a flow's status. Only the trigger `note_status` on the table of flows writes these rows. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('flow_statuses')
export class FlowStatusEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @PrimaryColumn(moment('since') as { type: 'timestamptz' }) since: Date;
  @Column({ type: 'text' }) status: string;
}
