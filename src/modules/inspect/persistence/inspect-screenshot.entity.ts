/** A screenshot of a run: what a message looks like in an email client (section 4.7). */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { RenderClient } from '../domain/rendering/render-client.js';
import type { ColourScheme, Device } from '../domain/runs/screenshot.js';

@Entity('inspect_screenshots')
@Index('inspect_screenshots_of_job', ['workspaceId', 'jobId'])
export class InspectScreenshotEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'job_id', type: 'uuid' }) jobId: string;
  @Column({ type: 'text' }) client: RenderClient;
  @Column({ type: 'text' }) scheme: ColourScheme;
  @Column({ type: 'text' }) device: Device;
  @Column({ type: 'integer' }) width: number;
  @Column({ type: 'integer' }) height: number;
  @Column({ name: 'media_type', type: 'text' }) mediaType: string;
  @Column({ type: 'bytea' }) image: Buffer;
  @Column(moment('created_at')) createdAt: Date;
}
