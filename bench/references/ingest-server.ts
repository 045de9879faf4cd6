/**
 * Reference for ingest: the minimum cost of a durable event over HTTP. Fastify, a check of two fields, a group
 * commit of 2 ms and at most 500 rows with two in flight, and 202 after the COMMIT. No tenants, no keys, no
 * limits.
 */
import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { answerQuestions } from '../program.js';

const LINGER_MS = 2;
const LARGEST_GROUP = 500;
const IN_FLIGHT = 2;
const WORKSPACE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0';

const TABLE = `
DROP TABLE IF EXISTS events;
CREATE TABLE events (
  id uuid NOT NULL DEFAULT uuidv7() PRIMARY KEY, workspace_id uuid NOT NULL, name text NOT NULL,
  external_id text NOT NULL, attributes jsonb NOT NULL, occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX events_name ON events (workspace_id, name, occurred_at);
CREATE INDEX events_contact ON events (workspace_id, external_id, occurred_at);`;

const INSERT = `INSERT INTO events (workspace_id, name, external_id, attributes, occurred_at)
  SELECT '${WORKSPACE}', u.* FROM unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[]) AS u`;

interface PostedEvent {
  readonly event_name?: unknown;
  readonly external_id?: unknown;
  readonly attributes?: unknown;
}

interface Waiting {
  readonly name: string;
  readonly externalId: string;
  readonly attributes: string;
  readonly occurredAt: string;
  readonly done: (error?: Error) => void;
}

class GroupCommit {
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;
  private inFlight = 0;

  constructor(private readonly pool: pg.Pool) {}

  add(event: Waiting): void {
    this.waiting.push(event);
    if (this.waiting.length >= LARGEST_GROUP) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), LINGER_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length > 0 && this.inFlight < IN_FLIGHT) {
      const group = this.waiting.splice(0, LARGEST_GROUP);
      this.inFlight++;
      const values = [
        group.map((event) => event.name),
        group.map((event) => event.externalId),
        group.map((event) => event.attributes),
        group.map((event) => event.occurredAt),
      ];
      void this.pool
        .query({ name: 'insert', text: INSERT, values })
        .then(
          () => group.forEach(({ done }) => done()),
          (error: Error) => group.forEach(({ done }) => done(error)),
        )
        .finally(() => {
          this.inFlight--;
          if (this.waiting.length > 0) this.flush();
        });
    }
  }
}

answerQuestions<{ databaseUrl: string }>(async ({ databaseUrl }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: IN_FLIGHT });
  await pool.query(TABLE);
  const commits = new GroupCommit(pool);
  const server = fastify({ logger: false });
  server.post('/*', (request, reply) => {
    const body = request.body as PostedEvent & { readonly events?: readonly PostedEvent[] };
    const events = body.events ?? [body];
    for (const { event_name: name, external_id: id } of events)
      if (typeof name !== 'string' || typeof id !== 'string')
        return void reply.code(422).send({ detail: 'invalid' });
    let left = events.length;
    let failure: Error | undefined;
    const done = (error?: Error): void => {
      failure ??= error;
      if (--left === 0) void reply.code(failure ? 500 : 202).send({ accepted: events.length });
    };
    for (const event of events)
      commits.add({
        name: event.event_name as string,
        externalId: event.external_id as string,
        attributes: JSON.stringify(event.attributes ?? {}),
        occurredAt: new Date().toISOString(),
        done,
      });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return { port: (server.server.address() as AddressInfo).port };
});
