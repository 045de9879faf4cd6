/**
 * A fan-out of promotional messages into the ledger, done in two ways. The reference is one `INSERT … SELECT` on a
 * connection without row-level policies. The service reads contacts page by page, and runs the outbox's own
 * statement for each page, under policies.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { RuntimeConfig } from '../../src/platform/config/config.js';
import type { Transaction } from '../../src/platform/database/database.js';
import type * as kernel from '../../src/kernel/uuid.js';
import type * as outboxes from '../../src/modules/delivery/application/outbox.js';
import type * as ledger from '../../src/modules/delivery/persistence/message-queue.repository.js';
import { rated } from '../processor-time.js';
import { answerQuestions } from '../program.js';

export interface FanOutQuestion {
  readonly databaseUrl: string;
  /** The server, whose processor time is reported next to the program's own. */
  readonly postgresPid: number;
  readonly workspaceId: string;
  readonly messages: number;
  readonly way: 'one statement' | 'outbox';
}

const PAGE = 1_000;
const DOMAIN = 'mail.example.test';

const ONE_STATEMENT = `
INSERT INTO email_logs (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, source_id, origin,
  origin_id, origin_step, contact_id, trigger_event_id, template_slug, content_type, priority, options, message_id, counts)
SELECT $1, 'live', 'queued', $2, $2, $2, new.id, $3, 'campaign', $3, 0, new.contact_id, NULL, 'newsletter', 'promotional', 1,
  '{}', '<' || new.id || '@${DOMAIN}>', false
FROM (SELECT uuidv7() AS id, c.id AS contact_id FROM contacts c
  WHERE c.workspace_id = $1 AND c.environment = 'live' ORDER BY c.id LIMIT $4) AS new`;

const CONTACTS = `
SELECT id FROM contacts WHERE workspace_id = $1 AND environment = 'live' AND id > $2 ORDER BY id LIMIT $3`;

const built = async <Module>(...path: string[]): Promise<Module> =>
  (await import(pathToFileURL(join(process.cwd(), 'dist', ...path)).href)) as Module;

/** Answers the rate of messages. */
answerQuestions<FanOutQuestion>(async ({ databaseUrl, postgresPid, workspaceId, messages, way }) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { uuidv7 } = await built<typeof kernel>('kernel', 'uuid.js');
  const source = uuidv7(Date.now());
  const outbox = way === 'outbox' ? await outboxOver() : undefined;
  const rate = await rated(messages, { program: process.pid, PostgreSQL: postgresPid }, async () => {
    if (!outbox) await client.query(ONE_STATEMENT, [workspaceId, new Date(), source, messages]);
    else await page();
  });
  await client.end();
  return rate;

  async function outboxOver(): Promise<outboxes.Outbox> {
    const { Outbox } = await built<typeof outboxes>('modules', 'delivery', 'application', 'outbox.js');
    const path = ['modules', 'delivery', 'persistence', 'message-queue.repository.js'];
    const { MessageQueueRepository } = await built<typeof ledger>(...path);
    return new Outbox(new MessageQueueRepository({ sharedSendingDomain: DOMAIN } as RuntimeConfig));
  }

  async function page(): Promise<void> {
    const scope = { workspaceId, environment: 'live' as const };
    const tx = {
      execute: async (text: string, values: unknown[], name: string) =>
        void (await client.query({ text, values, name })),
    } as unknown as Transaction;
    for (let done = 0, after = '00000000-0000-0000-0000-000000000000'; done < messages;) {
      await client.query('BEGIN');
      await client.query('SET LOCAL ROLE waypost_app');
      await client.query(
        `SELECT set_config('app.workspace_id', $1, true), set_config('app.environment', 'live', true)`,
        [workspaceId],
      );
      const values = [workspaceId, after, Math.min(PAGE, messages - done)];
      const { rows } = await client.query<{ id: string }>({ name: 'contacts', text: CONTACTS, values });
      const now = new Date();
      const message = {
        sourceId: source,
        origin: 'campaign' as const,
        originId: source,
        originStep: 0,
        templateSlug: 'newsletter',
        contentType: 'promotional' as const,
        options: {},
      };
      const recipients = rows.map(({ id }) => ({ id: uuidv7(now.getTime()), contactId: id, at: now }));
      await outbox?.enqueueForEach(tx, scope, message, recipients, now);
      await client.query('COMMIT');
      const last = rows.at(-1);
      if (!last) throw new Error(`Only ${done} contacts were found.`);
      done += rows.length;
      after = last.id;
    }
  }
});
