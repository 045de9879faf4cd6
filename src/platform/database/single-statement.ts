/** Runs one statement as its own transaction, in one round trip. */
import type { Writable } from 'node:stream';
import type { ClientBase, QueryConfig, QueryResultRow } from 'pg';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { beginInScopeSql } from './row-level-security.js';

/**
 * Runs the statement in a transaction of the scope. The three queries are queued together, so that other users of the
 * connection come before or after them.
 * @returns its rows, after the commit.
 */
export async function runStatementOn<Row extends QueryResultRow>(
  client: ClientBase,
  scope: TenantScope,
  statement: QueryConfig,
): Promise<Row[]> {
  const [begun, executed, committed] = await sendInOnePacket(client, () => [
    client.query(beginInScopeSql(scope)),
    client.query<Row>(statement),
    client.query('COMMIT'),
  ]);
  // After a failed statement PostgreSQL treats COMMIT as ROLLBACK.
  for (const step of [executed, begun, committed]) if (step.status === 'rejected') throw step.reason;
  return executed.status === 'fulfilled' ? executed.value.rows : [];
}

/** The socket of a connection, which pg exposes but its types do not. */
interface WithSocket {
  readonly connection: { readonly stream: Writable };
}

/**
 * Sends queries in one packet, because each would otherwise be a separate write and wake the server separately. Waits
 * until all have completed.
 */
function sendInOnePacket<Results extends readonly unknown[]>(
  client: ClientBase,
  send: () => { [Index in keyof Results]: Promise<Results[Index]> },
): Promise<{ [Index in keyof Results]: PromiseSettledResult<Results[Index]> }> {
  const { stream } = (client as unknown as WithSocket).connection;
  stream.cork();
  try {
    return Promise.allSettled(send());
  } finally {
    stream.uncork();
  }
}
