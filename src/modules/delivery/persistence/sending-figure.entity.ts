/** The outcomes of a workspace's live promotional messages, by the UTC hour in which they were sent. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('sending_figures')
export class SendingFigureEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** The start of the hour, or the time within it at which the metrics restarted. */
  @PrimaryColumn(moment('since') as { type: 'timestamptz' }) since: Date;
  @Column({ type: 'bigint' }) sent: string;
  @Column({ type: 'bigint' }) bounced: string;
  @Column({ type: 'bigint' }) complained: string;
}
