/** A Redis connection that fails fast instead of waiting: commands are never queued while it is disconnected. */
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** Connection timeout in milliseconds. */
const CONNECT_TIMEOUT_MS = 1_000;

export class FailFastRedis {
  private readonly redis: Redis;
  private connecting: Promise<void> | undefined;

  /** Connects on the first script. */
  constructor(url: string, logger: Logger) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    // Callers get errors meanwhile; the client reconnects automatically.
    this.redis.on('error', (error: unknown) =>
      logger.debug({ err: error }, 'A connection to Redis was lost'),
    );
  }

  /**
   * Runs a script atomically.
   * @throws Error if Redis is unavailable.
   */
  async run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    if (this.redis.status === 'wait')
      await (this.connecting ??= this.redis.connect().finally(() => (this.connecting = undefined)));
    const sha = createHash('sha1').update(script).digest('hex');
    try {
      return await this.redis.evalsha(sha, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.redis.eval(script, keys.length, ...keys, ...values);
    }
  }

  close(): void {
    this.redis.disconnect();
  }
}
