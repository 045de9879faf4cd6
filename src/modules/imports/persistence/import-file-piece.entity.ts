/** A piece of a file: one megabyte, or less at the end. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Environment } from '../../../kernel/tenant-scope.js';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('import_file_pieces')
export class ImportFilePieceEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: Environment;
  @PrimaryColumn({ name: 'file_id', type: 'uuid' }) fileId: string;
  /** Number of the piece, from 0. */
  @PrimaryColumn({ type: 'integer' }) number: number;
  @Column({ type: 'bytea' }) bytes: Buffer;
}
