/** Send order: transactional mail before promotional, and no tenant's backlog delays another tenant's messages. */
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import { SenderService } from '../../src/modules/delivery/application/sender.service.js';
import { CLAIM } from '../../src/modules/delivery/persistence/send-ledger.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { HOUR } from '../support/clock.js';
import type { TestDatabase } from '../support/database.js';
import type { MailSink } from '../support/mail-sink.js';
import { until } from '../support/until.js';
import { startSending, type SendingApp } from './sending-app.js';
import { useFixture } from './sending-fixture.js';

/** Slots that promotional messages may use. */
const PROMOTIONAL_SLOTS = (SLOTS_PER_TRANSPORT * 3) / 4;
/** Milliseconds of real time until the slow server answers: longer than a concurrent transactional message takes. */
const SLOW = 2_500;

let database: TestDatabase;
let sink: MailSink;
let app: SendingApp;

useFixture((fixture) => ({ database, sink, app } = fixture));

beforeEach(() => {
  sink.delay = 0;
  sink.mails.length = 0;
  app.clock.wind(HOUR);
});

async function tenant(): Promise<TenantScope> {
  const scope = await app.workspace();
  await app.template(scope);
  return scope;
}

/** Queues messages, each to a different person. */
async function queue(
  scope: TenantScope,
  contentType: 'transactional' | 'promotional',
  count: number,
): Promise<void> {
  for (let n = 0; n < count; n++)
    await app.enqueue(scope, {
      contactId: await app.contact(scope, { email: `${n}@${contentType}.example.com` }),
      contentType,
    });
}

const received = (kind: string): number =>
  sink.mails.filter(({ to }) => to[0]?.endsWith(`@${kind}.example.com`)).length;

/** Fills the promotional slots with messages that get no answer yet. */
async function hang(
  scope: TenantScope,
  mayContinue: () => boolean = () => true,
): Promise<Promise<boolean>[]> {
  sink.delay = () => SLOW;
  const turn = app.module.get(SenderService).drain(scope, mayContinue);
  await until('promotional messages wait for answers', () => received('promotional') === PROMOTIONAL_SLOTS);
  return [turn];
}

describe('while promotional messages wait for a slow server', () => {
  test("the tenant's own transactional message goes at once", async () => {
    const scope = await tenant();
    await queue(scope, 'promotional', 2 * SLOTS_PER_TRANSPORT);
    const [turn] = await hang(scope);
    await queue(scope, 'transactional', 1);
    await until('it has arrived', () => received('transactional') === 1);
    expect(received('promotional')).toBe(PROMOTIONAL_SLOTS);
    await turn;
    expect(received('promotional')).toBe(2 * SLOTS_PER_TRANSPORT);
  });

  test('it does so when the turn is over, too', async () => {
    const scope = await tenant();
    await queue(scope, 'promotional', 2 * SLOTS_PER_TRANSPORT);
    let isOver = false;
    const [turn] = await hang(scope, () => !isOver);
    isOver = true;
    await queue(scope, 'transactional', 1);
    await until('it has arrived', () => received('transactional') === 1);
    expect(received('promotional')).toBe(PROMOTIONAL_SLOTS);
    expect(await turn).toBe(true);
    expect(received('promotional')).toBe(PROMOTIONAL_SLOTS);
  });

  test("so does another tenant's, also one that has a backlog of its own", async () => {
    const [big, small] = [await tenant(), await tenant()];
    await queue(big, 'promotional', 2 * SLOTS_PER_TRANSPORT);
    await queue(small, 'promotional', 1);
    const [turn] = await hang(big);
    const other = app.module.get(SenderService).drain(small, () => true);
    await queue(small, 'transactional', 1);
    await until('it has arrived', () => received('transactional') === 1);
    expect(received('promotional')).toBe(PROMOTIONAL_SLOTS);
    await Promise.all([turn, other]);
    expect(received('promotional')).toBe(2 * SLOTS_PER_TRANSPORT + 1);
  });

  test('so does one that another process takes', async () => {
    const second = await startSending(database, sink.url);
    try {
      const scope = await tenant();
      await queue(scope, 'promotional', 2 * SLOTS_PER_TRANSPORT);
      const [turn] = await hang(scope);
      const before = received('promotional');
      await queue(scope, 'transactional', SLOTS_PER_TRANSPORT);
      second.clock.wind(app.clock.now().getTime() - second.clock.now().getTime());
      await Promise.all([turn, second.drain(scope)]);
      expect(before).toBe(PROMOTIONAL_SLOTS);
      const ids = sink.mails.map(({ messageId }) => messageId);
      expect(ids).toHaveLength(3 * SLOTS_PER_TRANSPORT);
      expect(new Set(ids).size).toBe(3 * SLOTS_PER_TRANSPORT);
    } finally {
      await second.close();
    }
  });
});

test('promotional messages that have waited for long get some of the lanes while transactional ones go on', async () => {
  const scope = await tenant();
  await queue(scope, 'promotional', SLOTS_PER_TRANSPORT);
  app.clock.wind(59_999);
  await queue(scope, 'transactional', 2 * SLOTS_PER_TRANSPORT);
  await app.drain(scope);
  const kinds = (): string[] => sink.mails.map(({ to }) => /@(\w+)/.exec(to[0] ?? '')?.[1] ?? '');
  expect(kinds().indexOf('promotional')).toBeGreaterThanOrEqual(
    2 * SLOTS_PER_TRANSPORT - SLOTS_PER_TRANSPORT / 2,
  );

  sink.mails.length = 0;
  await queue(scope, 'promotional', SLOTS_PER_TRANSPORT);
  app.clock.wind(60_000);
  await queue(scope, 'transactional', 4 * SLOTS_PER_TRANSPORT);
  await app.drain(scope);
  const early = kinds().slice(0, 2 * SLOTS_PER_TRANSPORT);
  expect(early.filter((kind) => kind === 'promotional').length).toBeGreaterThanOrEqual(
    SLOTS_PER_TRANSPORT / 8,
  );
  expect(early.filter((kind) => kind === 'transactional').length).toBeGreaterThan(SLOTS_PER_TRANSPORT);
});

describe('beside 50,000 promotional messages', () => {
  let scope: TenantScope;

  beforeAll(async () => {
    scope = await tenant();
    const contactId = await app.contact(scope, { email: '0@promotional.example.com' });
    await app.admin.query(
      `INSERT INTO email_logs (workspace_id, environment, status, next_attempt_at, created_at, updated_at, id, origin,
         origin_id, origin_step, contact_id, template_slug, content_type, priority, options, message_id)
       SELECT $1, 'live', 'queued', $2, $2, $2, uuidv7(), 'trip', uuidv7(), 0, $3, 'welcome', 'promotional', 1, '{}', n
       FROM generate_series(1, 50000) AS n`,
      [scope.workspaceId, app.clock.now(), contactId],
    );
    await app.admin.query('ANALYZE email_logs');
  });

  test('a claim reads a stretch of the index and no other message', async () => {
    await queue(scope, 'transactional', 3);
    const now = app.clock.now();
    const wanted = [SLOTS_PER_TRANSPORT, 1, PROMOTIONAL_SLOTS, 4];
    const [all, sender, promotional, patient] = wanted;
    interface Plan {
      readonly 'Relation Name'?: string;
      readonly 'Index Name'?: string;
      readonly 'Node Type': string;
      readonly 'Actual Rows': number;
      readonly 'Rows Removed by Filter'?: number;
      readonly Plans?: readonly Plan[];
    }
    const plan = await app.module.get(Database).inScope(scope, async (tx) => {
      const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${CLAIM}`,
        [
          scope.workspaceId,
          scope.environment,
          now,
          all,
          sender,
          promotional,
          patient,
          new Date(now.getTime() - 60_000),
          'smtp',
          ['smtp'],
        ],
      );
      await tx.query("UPDATE email_logs SET status = 'queued', sender = NULL WHERE status = 'sending'");
      return row!['QUERY PLAN'][0].Plan;
    });
    const nodes = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
    const scans = nodes(plan).filter((node) => node['Relation Name'] === 'email_logs');
    const ofQueue = scans.filter((node) => node['Index Name'] === 'email_logs_queued');
    expect(ofQueue).toHaveLength(3);
    expect(scans.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    for (const node of scans)
      expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)).toBeLessThanOrEqual(
        SLOTS_PER_TRANSPORT,
      );
  });

  test('transactional ones go first all the same', async () => {
    await queue(scope, 'transactional', 1);
    await app.module.get(SenderService).drain(scope, () => received('transactional') < 4);
    expect(received('transactional')).toBe(4);
    expect(received('promotional')).toBeLessThanOrEqual(SLOTS_PER_TRANSPORT);
  });
});
