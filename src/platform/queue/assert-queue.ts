/** Sees at a process's start that the queue's server is there: a wrong address is told, a later outage lived through. */
import { Redis } from 'ioredis';
import { ConfigError, type QueueBackend } from '../config/config.js';

/**
 * Connects once, where the queue has a server of its own; migrations have seen to PostgreSQL before.
 * @throws ConfigError naming REDIS_URL.
 */
export async function assertQueue(queue: QueueBackend): Promise<void> {
  if (queue.kind !== 'redis') return;
  const probe = new Redis(queue.url, { lazyConnect: true, connectTimeout: 5_000, retryStrategy: () => null });
  let reason = '';
  // The first error is the cause; what the calls throw after it only says that the connection is closed.
  probe.on('error', (error: Error) => (reason ||= error.message));
  try {
    await probe.connect();
    await probe.ping();
  } catch (error) {
    reason ||= error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `REDIS_URL cannot be reached (${reason}): start the Redis or Valkey server, or use another address.`,
    );
  } finally {
    probe.disconnect();
  }
}
