/** A dead letter: work that was taken out of its queue. Holds ids and a code, and nothing of the work's contents. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('set_aside_work')
@Index('set_aside_work_subject', ['workspaceId', 'kind', 'subjectId', 'environment'], { unique: true })
export class DeadLetterEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'subject_id', type: 'uuid' }) subjectId: string;
  @Column({ type: 'text' }) code: string;
  @Column(moment('set_aside_at')) setAsideAt: Date;
}
