/**
 * Everything that is kept of a workspace, whatever it is: the tables are read from the catalogue, so that one which a later
 * version adds is emptied too.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

@Injectable()
export class WorkspaceRows {
  /** Tables that hold rows of workspaces, those first that let people and servers in. */
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
   * Deletes rows of the table, of the environment that the transaction is in where the table knows any.
   * @returns how many; fewer than `limit` where none is left.
   */
  async remove(tx: Transaction, table: string, scope: WorkspaceScope, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE workspace_id = $1 LIMIT $2))`,
      [scope.workspaceId, limit],
    );
  }
}
