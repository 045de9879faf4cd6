/**
 * A complete migration from each platform on the running service: requested over HTTP, fetched through the
 * product's own calls, downloaded to its own files, and processed by its worker into contacts. Also what remains
 * of jobs that end otherwise.
 */
import pg from 'pg';
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { until } from '../support/until.js';
import { BRAZE_KEY, BRAZE_SEGMENT, BrazeServer, brazeUser } from './platforms/braze-server.js';
import { CUSTOMERIO_KEY, CustomerioServer } from './platforms/customerio-server.js';
import { INTERCOM_TOKEN, intercomContact, IntercomServer } from './platforms/intercom-server.js';
import { KLAVIYO_KEY, klaviyoProfile, KlaviyoServer } from './platforms/klaviyo-server.js';
import { MAILCHIMP_KEY, mailchimpMember, MailchimpServer } from './platforms/mailchimp-server.js';
import { emailOf, ONESIGNAL_APP, ONESIGNAL_KEY, OnesignalServer } from './platforms/onesignal-server.js';
import { zipOf } from './platforms/zip-archive.js';

/** Milliseconds by which the clock advances while the test waits for a job. */
const A_WHILE = 60_000;
const PEOPLE = 320;

const servers = {
  braze: new BrazeServer(),
  customerio: new CustomerioServer(),
  intercom: new IntercomServer(),
  klaviyo: new KlaviyoServer(),
  mailchimp: new MailchimpServer(),
  onesignal: new OnesignalServer(),
};
const CREDENTIALS = {
  braze: {
    api_key: BRAZE_KEY,
    extra: { endpoint: 'https://rest.iad-01.braze.com', segment_id: BRAZE_SEGMENT },
  },
  customerio: { api_key: CUSTOMERIO_KEY },
  intercom: { api_key: INTERCOM_TOKEN },
  klaviyo: { api_key: KLAVIYO_KEY },
  mailchimp: { api_key: MAILCHIMP_KEY },
  onesignal: { app_id: ONESIGNAL_APP, api_key: ONESIGNAL_KEY },
} as const;
type Platform = keyof typeof servers;

let app: TestApp;
let admin: pg.Client;
let workspace: TestWorkspace;

beforeAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.start()));
  const urls = Object.fromEntries(Object.entries(servers).map(([platform, { url }]) => [platform, url]));
  app = await bootApp({ queues: ['imports'], env: { MIGRATION_BASE_URLS: JSON.stringify(urls) } });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
});
beforeEach(async () => {
  workspace = await app.workspace({ plan: 'starter' });
});

async function call(method: string, path: string, body?: object): Promise<any> {
  const headers = { authorization: `Bearer ${workspace.ownerToken}`, 'x-workspace-id': workspace.id };
  const answer = await app.request(method, `/v1/migrations${path}`, body, headers);
  expect(answer.body).not.toHaveProperty('code');
  return answer.body;
}

const begin = (platform: Platform): Promise<any> =>
  call('POST', '', { platform, credentials: CREDENTIALS[platform], config: { tags: ['moved'] } });

/** Waits until the job satisfies `isSo` while the clock advances; returns it. */
async function once(id: string, isSo: (job: any) => boolean | Promise<boolean>): Promise<any> {
  let job: any;
  await until('the job is as asked for', async () => {
    job = await call('GET', `/${id}`);
    if (await isSo(job)) return true;
    app.clock.wind(A_WHILE);
    return false;
  });
  return job;
}

const hasEnded = ({ status }: any): boolean => status !== 'queued' && status !== 'running';

const keptOf = async (): Promise<any[]> =>
  (await admin.query('SELECT job_id, is_ready FROM import_files WHERE workspace_id = $1', [workspace.id]))
    .rows;

const cursorOf = async (id: string): Promise<any> =>
  (await admin.query('SELECT cursor FROM import_jobs WHERE id = $1', [id])).rows[0]?.cursor;

const numbers = Array.from({ length: PEOPLE }, (_, index) => index + 1);

function fill(): void {
  servers.braze.users = numbers.map((number) => brazeUser(number));
  servers.customerio.people = numbers.map((number) => ({
    id: `user-${number}`,
    cio_id: `a${String(number).padStart(7, '0')}`,
    email: `person-${number}@example.com`,
  }));
  servers.intercom.contacts = numbers.map((number) =>
    intercomContact(number, { external_id: `user-${number}` }),
  );
  servers.klaviyo.profiles = numbers.map((number) =>
    klaviyoProfile(number, { external_id: `user-${number}` }),
  );
  servers.mailchimp.audiences.set(
    'a36b032126',
    numbers.map((number) => mailchimpMember(number)),
  );
  servers.onesignal.subscriptions = numbers.map((number) => emailOf(number));
  for (const exporting of [servers.braze, servers.customerio, servers.onesignal]) {
    exporting.file = undefined;
    exporting.looksUntilReady = 1;
  }
}
beforeEach(fill);

test.each(Object.keys(servers) as Platform[])('%s: everybody is there in the end', async (platform) => {
  const { id } = await begin(platform);
  const job = await once(id, hasEnded);
  expect(job).toMatchObject({
    status: 'completed',
    error: null,
    progress: { imported: PEOPLE, failed: 0, total: PEOPLE, percent_complete: 100 },
    created_contacts: PEOPLE,
  });
  const { rows } = await admin.query(
    `SELECT count(DISTINCT email)::int AS addresses FROM contacts
     WHERE workspace_id = $1 AND email LIKE 'person-%@example.com' AND tags @> '{moved}'`,
    [workspace.id],
  );
  expect(rows).toEqual([{ addresses: PEOPLE }]);
  expect(await keptOf()).toEqual([]);
  expect(await cursorOf(id)).toBeNull();
});

test('numbers keep their digits, and what is nested without end is a row that cannot be read', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const lines = [
    '{"external_id":"u1","email":"person-1@example.com","custom_attributes":{"order":12345678901234567890}}',
    `{"external_id":"u2","email":"person-2@example.com","custom_attributes":{"deep":${deep}}}`,
  ];
  servers.braze.file = zipOf([{ name: 'users.txt', contents: lines.join('\n') }]);
  const job = await once((await begin('braze')).id, hasEnded);
  expect(job).toMatchObject({ status: 'completed', progress: { imported: 1, failed: 1 } });
  const { rows } = await admin.query(
    `SELECT properties::text AS text FROM contacts WHERE workspace_id = $1`,
    [workspace.id],
  );
  expect(rows).toEqual([{ text: expect.stringContaining('12345678901234567890') }]);
});

/** A download that is read in several time slices; its last part is damaged. */
const DAMAGED = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(2_000, 7)]);

test('of a job that failed the address of its export is gone; it is resumed with another one', async () => {
  servers.braze.file = DAMAGED;
  const { id } = await begin('braze');
  expect(await once(id, hasEnded)).toMatchObject({ status: 'failed', error: { code: 'file_unreadable' } });
  expect(JSON.stringify(await cursorOf(id))).not.toContain('://');
  expect((await keptOf()).length).toBeLessThanOrEqual(1);
  servers.braze.file = undefined;
  await call('POST', `/${id}/resume`, { credentials: CREDENTIALS.braze });
  expect(await once(id, hasEnded)).toMatchObject({ status: 'completed', progress: { imported: PEOPLE } });
  expect(await keptOf()).toEqual([]);
});

test('of a job that is cancelled no download is left', async () => {
  servers.braze.file = DAMAGED;
  const { id } = await begin('braze');
  await once(id, async () => (await keptOf()).some(({ is_ready: isReady }) => isReady));
  expect(await call('POST', `/${id}/cancel`)).toMatchObject({ status: 'cancelled' });
  expect(await keptOf()).toEqual([]);
  expect(await cursorOf(id)).toBeNull();
});
