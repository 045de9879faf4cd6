/**
 * A campaign is sent while all processes are killed again and again at random moments: while its audience is read,
 * while messages are in flight, while it is paused and resumed. Each contact has one copy or an unknown outcome; no
 * contact has two.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SLOTS_PER_TRANSPORT } from '../../src/modules/delivery/application/transport-slots.js';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { findRunningPostgres } from '../../src/platform/embedded/running-postgres.js';
import { DEMO_OWNER } from '../../src/processes/demo.js';
import { LocalIssuer } from '../../src/modules/auth/application/local-issuer.js';
import { figure } from '../support/figure.js';
import { nothingIsSuspectedTwice } from '../support/avoid-quarantine.js';
import { MailSink } from '../support/mail-sink.js';
import { openWorkspace } from '../support/open-workspace.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

const PEOPLE = repetitions({ short: 400, full: 10_000 });
/** Milliseconds that the mail server takes per message: slow enough that kills find work even with fewer contacts. */
const MAIL_DELAY = repetitions({ short: 250, full: 0 });
/** Each round is a new campaign, so that no kill falls into idle time after the end of one. */
const ROUNDS = repetitions({ short: 1, full: 40 });
/** Kills of a round: one while it is sent, one while it is paused, one while it is resumed. */
const KILLS = repetitions({ short: 3, full: 25 });

let dataDir: string;
let sink: MailSink;
let env: Record<string, string>;
let url: string;
let service: ServiceProcess;
let workspaceId: string;
let token: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'waypost-campaign-'));
  sink = await MailSink.start();
  sink.delay = MAIL_DELAY;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = { PORT: String(port), DATA_DIR: dataDir, SMTP_URL: sink.url };
  service = await ServiceProcess.start('up', env).ready(url);
  const workspace = await openWorkspace(url, dataDir);
  await workspace.template('hello');
  workspaceId = workspace.id;
  const issuer = await LocalIssuer.open(dataDir);
  token = (await issuer.issue({ email: DEMO_OWNER }, 24, new Date())).token;
  await over(async (database) => {
    await database.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [workspaceId, 'enterprise']);
    await database.query('DELETE FROM contacts WHERE workspace_id = $1', [workspaceId]);
    await database.query(
      `INSERT INTO contacts (workspace_id, environment, id, external_id, email, subscription_status, properties, created_at, updated_at)
       SELECT $1, 'live', gen_random_uuid(), 'u' || n, 'u' || n || '@example.com', 'subscribed', '{}', now(), now()
       FROM generate_series(1, $2) AS n`,
      [workspaceId, PEOPLE],
    );
  });
});

afterAll(async () => {
  await service?.stop();
  await sink?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function over<Result>(work: (database: pg.Client) => Promise<Result>): Promise<Result> {
  const database = new pg.Client({ connectionString: findRunningPostgres(dataDir) });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
/** Repeats the call until it is answered. */
async function call(method: string, path: string, body?: object): Promise<any> {
  let answer: Response | undefined;
  await until('somebody answers', async () => {
    answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    return answer !== undefined && answer.status < 500;
  });
  return answer?.json();
}
const graphql = async (query: string): Promise<any> => (await call('POST', '/graphql', { query })).data;

async function newCampaign(): Promise<string> {
  const { template } = await graphql('{ template(slug: "hello") { id } }');
  const { createSegment } = await graphql(
    `mutation { createSegment(input: { name: "Everybody ${Math.random()}", match: "all", conditions: [] }) { id } }`,
  );
  const campaign = await call('POST', '/v1/campaigns', {
    ...{ name: 'Spring sale', template_id: template.id, segment_id: createSegment.id },
  });
  return campaign.id;
}

/** Resolves when no message is claimed by a dead process. */
const resolved = (): Promise<void> =>
  over((database) =>
    until('others took over what was in hand', async () => {
      const inDeadHands = `SELECT FROM email_logs m WHERE status = 'sending' AND ${ProcessLease.isExpiredSql('m.sender')}`;
      return (await database.query(inDeadHands)).rowCount === 0;
    }),
  );

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  `round %i, ${PEOPLE} people and ${KILLS} kills: nobody is lost, nobody has it twice`,
  async () => {
    const id = await newCampaign();
    expect((await call('POST', `/v1/campaigns/${id}/send`, {})).status).toBe('sending');
    let slowest = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_000));
      // Pausing and resuming may be cut off as well: either takes effect fully or not at all.
      if (kill % 5 === 2) void call('POST', `/v1/campaigns/${id}/pause`);
      if (kill % 5 === 3) void call('POST', `/v1/campaigns/${id}/resume`);
      await service.killTree();
      const killedAt = performance.now();
      service = await ServiceProcess.start('up', env).ready(url);
      await over(nothingIsSuspectedTwice);
      if (kill < KILLS) continue;
      await resolved();
      slowest = (performance.now() - killedAt) / 1_000;
    }
    const analytics = async (): Promise<any> => call('GET', `/v1/campaigns/${id}/analytics`);
    await until(
      'it is sent',
      async () => {
        const { status } = await call('GET', `/v1/campaigns/${id}`);
        if (status === 'paused') await call('POST', `/v1/campaigns/${id}/resume`);
        return status === 'sent';
      },
      analytics,
    );
    const numbers = await analytics();
    expect(numbers).toMatchObject({
      audience: PEOPLE,
      pending: 0,
      skipped: 0,
      failed: 0,
      suppressed: 0,
      cancelled: 0,
    });
    expect(numbers.sent + numbers.unknown).toBe(PEOPLE);
    expect(numbers.unknown).toBeLessThanOrEqual(KILLS * SLOTS_PER_TRANSPORT);
    const { rows: logs } = await over((database) =>
      database.query<{ contact: string; message: string; status: string }>(
        `SELECT contact_id AS contact, message_id AS message, status FROM email_logs WHERE source_id = $1`,
        [id],
      ),
    );
    expect([logs.length, new Set(logs.map(({ contact }) => contact)).size]).toEqual([PEOPLE, PEOPLE]);
    const of = new Map(logs.map(({ message, status }) => [message, status]));
    const arrived = sink.mails.flatMap(({ messageId }) => (of.has(messageId) ? [messageId] : []));
    const once = new Set(arrived);
    expect(arrived.length - once.size).toBe(0);
    expect(logs.filter(({ message, status }) => status === 'sent' && !once.has(message))).toEqual([]);
    sink.mails.length = 0;
    figure(
      `${KILLS} kills of a campaign to ${PEOPLE}: 0 lost, 0 twice, ${numbers.unknown} unknown; ` +
        `${slowest.toFixed(1)} s after the last kill none was in the hands of who was killed`,
    );
  },
);
