/**
 * BullMQ on PostgreSQL keeps for good what its first connection came to: a queue or a worker that is made while the
 * database is away, or only slow, would never do anything again. Here a first connection that has failed is made anew
 * by whoever asks next, and BullMQ asks again and again.
 */
import { createPostgresBackend } from 'bullmq';

/** What BullMQ remembers of its first connection. */
interface Memo {
  readyPromise?: Promise<void> | undefined;
  waitUntilReady(): Promise<void>;
}

export const enduringBackend: typeof createPostgresBackend = (name, options, more) => {
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
