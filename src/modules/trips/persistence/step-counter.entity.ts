/**
 * How often a step of a flow was taken, by the branch that trips followed from it. Each count is split over slots, so
 * that concurrent transactions update different rows; the count is the sum of its slots.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('step_tallies')
export class StepCounterEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'flow_id', type: 'uuid' }) flowId: string;
  @PrimaryColumn({ name: 'step_id', type: 'integer' }) stepId: number;
  @PrimaryColumn({ type: 'text' }) way: string;
  @PrimaryColumn({ type: 'smallint' }) slot: number;
  @Column({ type: 'bigint' }) taken: string;
}
