/** The sending status as the dashboard queries it: queues, rates, domains that defer mail. */
import pg from 'pg';
import { sharedApp, type TestApp, type TestWorkspace } from '../support/app.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await sharedApp();
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const QUERY = `{ sendingStatus { at queues { contentType due later held sending oldestDueAt isComplete }
  sentByMinute { since messages } deferringDomains { domain messages nextAttemptAt } } }`;

/** Adds messages; times are in seconds from now. */
async function add(
  workspace: TestWorkspace,
  { count = 1, at = 0, priority = 0, status = 'queued', ...columns }: Record<string, any>,
): Promise<void> {
  const now = app.clock.now().getTime();
  const values: Record<string, unknown> = {
    workspace_id: workspace.id,
    environment: 'live',
    status,
    next_attempt_at: new Date(now + at * 1_000),
    created_at: new Date(now),
    updated_at: new Date(now),
    origin: 'trip',
    origin_step: 0,
    template_slug: 'hello',
    content_type: priority === 0 ? 'transactional' : 'promotional',
    priority,
    message_id: 'm',
    ...columns,
  };
  const names = Object.keys(values);
  await admin.query(
    `INSERT INTO email_logs (id, origin_id, contact_id, ${names.join(', ')})
     SELECT uuidv7(), uuidv7(), uuidv7(), ${names.map((_, n) => `$${n + 2}`).join(', ')} FROM generate_series(1, $1)`,
    [count, ...Object.values(values)],
  );
}

test('tells what waits of each kind, what went out, and which domains put mail off', async () => {
  const workspace = await app.workspace();
  const otherWorkspace = await app.workspace();
  const now = app.clock.now().getTime();
  await add(workspace, { count: 3, at: -120 });
  await add(workspace, { count: 2, at: 90, error_code: 'temporary', to_email: 'ada@Slow.example' });
  await add(workspace, { at: 60, error_code: 'temporary', to_email: 'bob@slow.example', priority: 1 });
  await add(workspace, { at: 30, error_code: 'temporary', to_email: 'bob@other.example', priority: 1 });
  await add(workspace, { at: 30, error_code: 'unreachable', to_email: 'bob@away.example', priority: 1 });
  await add(workspace, { count: 4, at: 600, waits_for: 'send_window', priority: 1 });
  await add(workspace, { status: 'sending', sender: 7, priority: 1 });
  const source = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0';
  const sentAgo = (seconds: number) => ({ status: 'sent', slot_at: new Date(now - seconds * 1_000) });
  await add(workspace, { count: 5, ...sentAgo(10), source_id: source });
  await add(workspace, { count: 2, ...sentAgo(59) });
  await add(workspace, { count: 3, ...sentAgo(61), source_id: '0290a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0' });
  await add(workspace, { count: 9, ...sentAgo(301), source_id: source });
  await add(workspace, { count: 9, ...sentAgo(10), source_id: source, environment: 'test' });
  await add(otherWorkspace, { count: 9, at: -120, error_code: 'temporary', to_email: 'ada@slow.example' });

  const { body } = await workspace.graphql(QUERY);
  const iso = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();
  expect(body.data.sendingStatus).toEqual({
    at: iso(0),
    queues: [
      {
        contentType: 'transactional',
        due: 3,
        later: 2,
        held: 0,
        sending: 0,
        oldestDueAt: iso(-120),
        isComplete: true,
      },
      {
        contentType: 'promotional',
        due: 0,
        later: 3,
        held: 4,
        sending: 1,
        oldestDueAt: null,
        isComplete: true,
      },
    ],
    sentByMinute: [7, 3, 0, 0, 0].map((messages, ago) => ({ since: iso(-60 * (ago + 1)), messages })),
    deferringDomains: [
      { domain: 'slow.example', messages: 3, nextAttemptAt: iso(60) },
      { domain: 'other.example', messages: 1, nextAttemptAt: iso(30) },
    ],
  });
});

test('says when it has not counted everything', async () => {
  const workspace = await app.workspace();
  await add(workspace, { count: 10_001, at: -1, priority: 1 });
  const { body } = await workspace.graphql('{ sendingStatus { queues { due isComplete } } }');
  expect(body.data.sendingStatus.queues).toEqual([
    { due: 0, isComplete: true },
    { due: 10_001, isComplete: false },
  ]);
});
