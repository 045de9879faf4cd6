/** One statement as a transaction of its own, all of it in one round trip. */
import type { Writable } from 'node:stream';
import type { ClientBase, QueryConfig, QueryResultRow } from 'pg';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { beginInScope } from './row-level-security.js';

/**
 * Runs the statement in a transaction of the scope. The three queries are queued at once, so that what else uses the
 * connection comes before or after them.
 * @returns the rows that it gives, once what it changed is committed.
 */
export async function onceOn<Row extends QueryResultRow>(
  client: ClientBase,
  scope: TenantScope,
  statement: QueryConfig,
): Promise<Row[]> {
  const [begun, done, committed] = await sentTogether(client, () => [
    client.query(beginInScope(scope)),
    client.query<Row>(statement),
    client.query('COMMIT'),
  ]);
  // After a failed statement PostgreSQL takes the COMMIT for a ROLLBACK.
  for (const step of [done, begun, committed]) if (step.status === 'rejected') throw step.reason;
  return done.status === 'fulfilled' ? done.value.rows : [];
}

/** The socket beneath a connection; pg shows it, though its types do not. */
interface WithSocket {
  readonly connection: { readonly stream: Writable };
}

/** Sends queries in one packet, since each would be a write and a wake-up of its own; waits until all are answered. */
function sentTogether<Results extends readonly unknown[]>(
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
