/**
 * Column options that every tenant table repeats. Primary keys start with the workspace, so that the database
 * can be distributed by it without a change of schema.
 */
import type { ColumnOptions } from 'typeorm';

/** The workspace, first part of the primary key. */
export const WORKSPACE_ID = { name: 'workspace_id', type: 'uuid' } as const;

/** The record's own identifier, second part of the primary key. */
export const RECORD_ID = { name: 'id', type: 'uuid' } as const;

/** A moment, with its time zone. */
export const moment = (name: string): ColumnOptions => ({ name, type: 'timestamptz', precision: 3 });

/** A moment that may be unknown. */
export const optionalMoment = (name: string): ColumnOptions => ({ ...moment(name), nullable: true });

/** A text that may be absent. */
export const optionalText = (name: string): ColumnOptions => ({ name, type: 'text', nullable: true });
