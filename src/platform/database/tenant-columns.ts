/**
 * Column options that every tenant table uses. Primary keys start with the workspace, so that the database can be
 * sharded by it without a schema change.
 */
import type { ColumnOptions } from 'typeorm';

/** The workspace, the first part of the primary key. */
export const WORKSPACE_ID = { name: 'workspace_id', type: 'uuid' } as const;

/** The record's own id, the second part of the primary key. */
export const RECORD_ID = { name: 'id', type: 'uuid' } as const;

/** A timestamp with time zone. */
export const moment = (name: string): ColumnOptions => ({ name, type: 'timestamptz', precision: 3 });

/** A nullable timestamp. */
export const optionalMoment = (name: string): ColumnOptions => ({ ...moment(name), nullable: true });

/** A nullable text. */
export const optionalText = (name: string): ColumnOptions => ({ name, type: 'text', nullable: true });
