/**
 * Listens for changes of keys, workspaces, members, templates and flows, which triggers announce, so that every process
 * invalidates its caches immediately. After a lost connection all cache entries are invalidated, because notifications
 * may be missing.
 */
import type { Logger } from 'pino';
import pg from 'pg';

export type ChangeListener = (
  change: { readonly table: string; readonly workspaceId: string } | 'everything',
) => void;

const RETRY_DELAY_MS = 250;

export class ChangeFeed {
  private readonly listeners: ChangeListener[] = [];
  private client: pg.Client | undefined;
  private closed = false;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {}

  /** Calls `listener` for every further change. */
  listen(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** Connects and reconnects until closed. Resolves when it listens for the first time. */
  async open(): Promise<void> {
    while (!this.closed) {
      const client = new pg.Client({
        connectionString: this.url,
        keepAlive: true,
        application_name: 'waypost-changes',
      });
      client.on('notification', ({ payload }) => {
        const [table = '', workspaceId = ''] = (payload ?? '').split(' ');
        this.notify({ table, workspaceId });
      });
      client.on('error', (error) => this.logger.warn({ err: error }, 'The change feed was lost'));
      try {
        await client.connect();
        await client.query('LISTEN waypost_changes');
        client.once('end', () => void this.reopen());
        this.client = client;
        return;
      } catch (error) {
        this.logger.warn({ err: error }, 'The change feed is not connected yet');
        await client
          .end()
          .catch((end: unknown) => this.logger.debug({ err: end }, 'Closing a failed connection'));
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.client?.end();
  }

  private async reopen(): Promise<void> {
    if (this.closed) return;
    this.notify('everything');
    await this.open();
    this.notify('everything');
  }

  private notify(change: Parameters<ChangeListener>[0]): void {
    for (const listener of this.listeners) listener(change);
  }
}
