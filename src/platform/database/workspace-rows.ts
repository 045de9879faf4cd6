/**
 * Deletes all data of a workspace. Reads the tables from the catalogue, so that tables of later versions are included.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

@Injectable()
export class WorkspaceRows {
  /** Tables with rows of workspaces. Those that give people and servers access come first. */
  async tables(tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ name: string }>(
      `SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind = 'r' AND EXISTS (
         SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
       ORDER BY c.relname NOT IN ('api_keys', 'members'), c.relname`,
    );
    return rows.map(({ name }) => name);
  }

  /**
   * Deletes rows of the table, in the transaction's environment if the table has environments.
   * @returns the number of deleted rows; fewer than `limit` if none are left.
   */
  async remove(tx: Transaction, table: string, scope: WorkspaceScope, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE workspace_id = $1 LIMIT $2))`,
      [scope.workspaceId, limit],
    );
  }
}
