/**
 * BullMQ on PostgreSQL caches the result of its first connection attempt: a queue or worker that is created while the
 * database is down or slow would never work. This backend forgets a failed attempt, so that the next call, which BullMQ
 * retries repeatedly, connects again.
 */
import { createPostgresBackend } from 'bullmq';

/** The cached connection attempt of BullMQ. */
interface Memo {
  readyPromise?: Promise<void> | undefined;
  waitUntilReady(): Promise<void>;
}

export const resilientBackend: typeof createPostgresBackend = (name, options, more) => {
  const backend = createPostgresBackend(name, options, more);
  const { connection } = backend as unknown as { readonly connection: Memo };
  for (const memo of [connection, backend as unknown as Memo]) forgetFailures(memo);
  return backend;
};

function forgetFailures(memo: Memo): void {
  const ready = memo.waitUntilReady.bind(memo);
  memo.waitUntilReady = async () => {
    try {
      await ready();
    } catch (error) {
      memo.readyPromise = undefined;
      throw error;
    }
  };
}
