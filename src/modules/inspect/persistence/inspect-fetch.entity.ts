/** The recent answer of an address, so that runs do not request it again and again. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import type { JsonObject } from '../../../kernel/json.js';

@Entity('inspect_fetches')
@Index('inspect_fetches_age', ['workspaceId', 'fetchedAt'])
export class InspectFetchEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  /** The kind of resource: a link or an image. */
  @PrimaryColumn({ type: 'text' }) kind: string;
  @PrimaryColumn({ name: 'address_hash', type: 'text' }) addressHash: string;
  @Column({ type: 'jsonb' }) outcome: JsonObject;
  @Column(moment('fetched_at')) fetchedAt: Date;
}
