/**
 * A connection of a pool that may be lost at any moment. It tells of its end by an event besides failing its queries, and
 * an event of an error that nobody listens to ends the process: whoever takes it out of the pool may listen too late,
 * since an answer and the end can come in one piece, between which the connection goes from hand to hand.
 */
import pg from 'pg';

export class EnduringClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
