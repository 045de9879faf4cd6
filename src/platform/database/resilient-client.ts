/**
 * A pooled connection that survives being lost at any moment. A lost connection emits an error event in addition to
 * failing its queries, and an unhandled error event ends the process. A caller that checks the connection out may
 * attach its handler too late, because a response and the disconnect can arrive in one packet.
 */
import pg from 'pg';

export class ResilientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
