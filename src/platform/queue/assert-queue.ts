/**
 * Checks at startup that the queue's server is reachable: a wrong address is reported immediately, while later outages
 * are tolerated.
 */
import { Redis } from 'ioredis';
import { ConfigError, type QueueBackend } from '../config/config.js';

/**
 * Connects once if the queue has its own server; for PostgreSQL the migrations have already connected.
 * @throws ConfigError naming REDIS_URL.
 */
export async function assertQueue(queue: QueueBackend): Promise<void> {
  if (queue.kind !== 'redis') return;
  const probe = new Redis(queue.url, { lazyConnect: true, connectTimeout: 5_000, retryStrategy: () => null });
  let reason = '';
  // Keep the first error, which is the cause; later calls only report that the connection is closed.
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
