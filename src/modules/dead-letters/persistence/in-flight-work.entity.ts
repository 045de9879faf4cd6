/** A row that a process has claimed, or had claimed when it died. Written only after a process has died. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('work_in_hand')
export class InFlightWorkEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @PrimaryColumn({ name: 'subject_id', type: 'uuid' }) subjectId: string;
  /** Presence number of the process; null when no process has claimed the row. */
  @Column({ type: 'bigint', nullable: true }) holder: string | null;
  /** The number of processes that died while they had claimed it. */
  @Column({ type: 'integer' }) deaths: number;
  @Column(moment('taken_at')) takenAt: Date;
}
