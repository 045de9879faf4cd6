/** What became of a workspace's live promotional messages, by the hour of UTC in which they were sent. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('sending_figures')
export class SendingFigureEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** The beginning of the hour, or of what is left of it since figures count anew. */
  @PrimaryColumn(moment('since') as { type: 'timestamptz' }) since: Date;
  @Column({ type: 'bigint' }) sent: string;
  @Column({ type: 'bigint' }) bounced: string;
  @Column({ type: 'bigint' }) complained: string;
}
