/** A row that a process has in hand, or had in hand when it ended without a word. Written only after such an end. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('work_in_hand')
export class WorkInHandEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @PrimaryColumn({ name: 'subject_id', type: 'uuid' }) subjectId: string;
  /** Presence number of the process; null when nobody has it in hand. */
  @Column({ type: 'bigint', nullable: true }) holder: string | null;
  /** How many processes have ended with it in hand. */
  @Column({ type: 'integer' }) deaths: number;
  @Column(moment('taken_at')) takenAt: Date;
}
