/**
 * The queue's Redis for whoever would rather do without an answer than wait for one: nothing is sent later that could not
 * be sent at once.
 */
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** Milliseconds. */
const CONNECTS_WITHIN = 1_000;

export class QuickRedis {
  private readonly redis: Redis;
  private connecting: Promise<void> | undefined;

  /** Nothing is connected until the first script is run. */
  constructor(url: string, logger: Logger) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECTS_WITHIN,
    });
    // Whoever asks meanwhile is told; the connection is made anew by itself.
    this.redis.on('error', (error: unknown) =>
      logger.debug({ err: error }, 'A connection to Redis was lost'),
    );
  }

  /**
   * Runs a script as one step.
   * @throws Error when Redis cannot be asked now.
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
