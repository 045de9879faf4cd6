/**
 * Quality analysis over HTTP, section 4.7: runs, their findings, marks, credits and config; and the same through
 * GraphQL.
 */
import pg from 'pg';
import { bootApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { until } from '../support/until.js';

let app: TestApp;
let admin: pg.Client;

beforeAll(async () => {
  app = await bootApp({ queues: ['inspections', 'full-inspections'] });
  admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await app.close();
});

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const MOMENT = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/);
const BODY =
  '<html lang="en"><body>\n<p>Hello {{ contact.first_name }}</p>\n<a href="">Buy</a>\n</body></html>';

/** A workspace as its owner sees it, with a template that contains an empty link. */
class Fixture {
  private constructor(readonly workspace: TestWorkspace) {}

  static async open(overrides: object = {}): Promise<Fixture> {
    const fixture = new Fixture(await app.workspace(overrides));
    await fixture.save('welcome', BODY);
    return fixture;
  }

  /** Calls as the owner. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const { ownerToken, id } = this.workspace;
    return app.request(method, path, body, { authorization: `Bearer ${ownerToken}`, 'x-workspace-id': id });
  }

  async save(slug: string, bodyHtml: string): Promise<void> {
    const { status } = await this.workspace.call('POST', '/v1/templates', {
      ...{ name: slug, slug, subject: 'Hello', body_html: bodyHtml },
    });
    expect(status).toBe(201);
  }

  async change(slug: string, bodyHtml: string): Promise<void> {
    const { status } = await this.workspace.call('PUT', `/v1/templates/${slug}`, { body_html: bodyHtml });
    expect(status).toBe(200);
  }

  async run(input: object = {}): Promise<any> {
    const answer = await this.call('POST', '/v1/inspect', {
      ...{ template_slug: 'welcome', mode: 'quick', ...input },
    });
    expect(answer.status).toBe(202);
    return this.ended(answer.body.job_id as string);
  }

  async ended(jobId: string): Promise<any> {
    await until('the run has ended', async () =>
      ['completed', 'failed'].includes((await this.job(jobId)).status as string),
    );
    return this.job(jobId);
  }

  async job(jobId: string): Promise<any> {
    return (await this.call('GET', `/v1/inspect/${jobId}`)).body;
  }

  async findings(jobId: string, query = ''): Promise<any[]> {
    const { status, body } = await this.call('GET', `/v1/inspect/${jobId}/findings${query}`);
    expect(status).toBe(200);
    return body.findings as any[];
  }

  /** The finding of the empty link. */
  async emptyLink(jobId: string): Promise<any> {
    const [finding] = await this.findings(jobId, '?code=LK002');
    return finding;
  }
}

describe('a run', () => {
  test('is taken in with 202, and answers with all that it came to', async () => {
    const fixture = await Fixture.open();
    const { status, body } = await fixture.call('POST', '/v1/inspect', {
      ...{ template_slug: 'welcome', mode: 'quick' },
    });
    expect([status, body]).toEqual([202, { job_id: UUID, status: 'queued', credits_charged: 0 }]);
    const job = await fixture.ended(body.job_id);
    expect(job).toEqual({
      ...{
        job_id: body.job_id,
        template_slug: 'welcome',
        template_version: 1,
        channel: 'email',
        mode: 'quick',
      },
      ...{ status: 'completed', progress: 100, can_send: false, credits_charged: 0, error: null },
      score: expect.any(Number),
      summary: {
        ...{ critical: expect.any(Number), warning: expect.any(Number), info: expect.any(Number) },
        by_category: expect.objectContaining({ links: expect.any(Number), dark_mode: expect.any(Number) }),
      },
      checks: [
        { name: 'content', status: 'done', detail: null },
        ...['links', 'images', 'spam'].map((name) => expect.objectContaining({ name, status: 'done' })),
        ...['rendering', 'screenshots'].map((name) => ({
          name,
          status: 'skipped',
          detail: expect.any(String),
        })),
      ],
      screenshots: [],
      ...{ created_at: MOMENT, started_at: MOMENT, completed_at: MOMENT },
    });
    expect(job.score).toBeLessThanOrEqual(75);
    expect(job.summary.critical).toBeGreaterThan(0);
  });

  test('is of the version that there was when it was asked for', async () => {
    const fixture = await Fixture.open();
    await fixture.change('welcome', BODY.replace('href=""', 'href="https://example.com/"'));
    const job = await fixture.run();
    expect(job.template_version).toBe(2);
    expect(await fixture.emptyLink(job.job_id)).toBeUndefined();
  });

  test('a subject and a preheader that are given suppress SJ001 and SJ007', async () => {
    const fixture = await Fixture.open();
    await fixture.workspace.call('POST', '/v1/templates', {
      ...{ name: 'bare', slug: 'bare', body_html: BODY },
    });
    const bare = await fixture.run({ template_slug: 'bare' });
    const codes = async (jobId: string): Promise<string[]> =>
      (await fixture.findings(jobId, '?limit=200')).map(({ code }) => code as string);
    expect(await codes(bare.job_id)).toEqual(expect.arrayContaining(['SJ001', 'SJ007']));
    const given = await fixture.run({ template_slug: 'bare', subject: 'Hello', preheader: 'Read on' });
    expect(await codes(given.job_id)).not.toEqual(expect.arrayContaining(['SJ001']));
    expect(await codes(given.job_id)).not.toEqual(expect.arrayContaining(['SJ007']));
  });

  test.each([
    ['an unknown template', { template_slug: 'nope' }, 404, 'template_not_found'],
    ['no template', { template_slug: undefined }, 400, 'validation_error'],
    ['an unknown contact', { contact_id: UNKNOWN_ID }, 404, 'contact_not_found'],
    ['an unknown channel', { channel: 'fax' }, 422, 'invalid_field'],
    ['an unknown mode', { mode: 'slow' }, 422, 'invalid_field'],
    ['a subject that is too long', { subject: 'x'.repeat(256) }, 422, 'invalid_field'],
  ])('of %s is refused', async (_case, input, status, code) => {
    const fixture = await Fixture.open();
    const answer = await fixture.call('POST', '/v1/inspect', { template_slug: 'welcome', ...input });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('takes a contact by record id or external_id, of the caller’s environment alone', async () => {
    const fixture = await Fixture.open();
    const contact = { external_id: 'ann', email: 'ann@example.com', first_name: 'Ann' };
    const { body } = await fixture.workspace.call('POST', '/v1/contacts', contact);
    const elsewhere = { ...contact, external_id: 'bob' };
    await fixture.workspace.call('POST', '/v1/contacts', elsewhere, {
      'x-api-key': fixture.workspace.testKey,
    });
    for (const id of [body.id as string, 'ann'])
      expect((await fixture.run({ contact_id: id })).status).toBe('completed');
    const answer = await fixture.call('POST', '/v1/inspect', { template_slug: 'welcome', contact_id: 'bob' });
    expect([answer.status, answer.body.code]).toEqual([404, 'contact_not_found']);
  });

  test('is for people: keys are refused with 403 control_plane_only', async () => {
    const fixture = await Fixture.open();
    for (const [method, path] of [
      ['POST', '/v1/inspect'],
      ['GET', `/v1/inspect/${UNKNOWN_ID}`],
      ['GET', '/v1/inspect/credits'],
      ['GET', '/v1/inspect/config'],
      ['PUT', '/v1/inspect/config'],
    ] as const) {
      const { status, body } = await fixture.workspace.call(method, path, method === 'GET' ? undefined : {});
      expect([path, status, body.reason]).toEqual([path, 403, 'control_plane_only']);
    }
  });

  test('that there is none of is 404 inspect_job_not_found, also for others', async () => {
    const fixture = await Fixture.open();
    const other = await Fixture.open();
    const { job_id: foreign } = await other.run();
    for (const id of [UNKNOWN_ID, 'nope', foreign as string])
      for (const path of [`/v1/inspect/${id}`, `/v1/inspect/${id}/findings`]) {
        const { status, body } = await fixture.call('GET', path);
        expect([status, body.code]).toEqual([404, 'inspect_job_not_found']);
      }
  });

  test('of a suspended workspace is refused, as are marks and config; reading is not', async () => {
    const fixture = await Fixture.open();
    const { job_id: jobId } = await fixture.run();
    const { id } = await fixture.emptyLink(jobId);
    await admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [fixture.workspace.id]);
    await until('it is known', async () => {
      const { body } = await fixture.call('POST', '/v1/inspect', { template_slug: 'welcome' });
      return body.code === 'workspace_suspended';
    });
    for (const [method, path] of [
      ['POST', `/v1/inspect/findings/${id}/mark-fixed`],
      ['PUT', '/v1/inspect/config'],
    ] as const)
      expect((await fixture.call(method, path, {})).body.code).toBe('workspace_suspended');
    expect((await fixture.call('GET', `/v1/inspect/${jobId}`)).status).toBe(200);
  });
});

describe('findings', () => {
  test('say what, where and how to mend it, the gravest first', async () => {
    const fixture = await Fixture.open();
    const { job_id: jobId } = await fixture.run();
    const { body } = await fixture.call('GET', `/v1/inspect/${jobId}/findings`);
    expect(body).toMatchObject({ total: body.findings.length, limit: 50, offset: 0 });
    const grades = body.findings.map(({ severity }: any) =>
      ['critical', 'warning', 'info'].indexOf(severity as string),
    );
    expect(grades).toEqual([...grades].sort());
    expect(await fixture.emptyLink(jobId)).toEqual({
      ...{ id: UUID, job_id: jobId, code: 'LK002', category: 'links', severity: 'critical' },
      ...{ title: expect.any(String), message: expect.any(String), fix: expect.any(String) },
      ...{ line: 3, column: 1, snippet: expect.stringContaining('<a href="">'), clients: [] },
      ...{ status: 'open', snoozed_until: null, reason: null },
    });
  });

  test('are filtered and paged', async () => {
    const fixture = await Fixture.open();
    const { job_id: jobId, summary } = await fixture.run();
    for (const severity of ['critical', 'warning', 'info'])
      expect(await fixture.findings(jobId, `?severity=${severity}&limit=200`)).toHaveLength(
        summary[severity] as number,
      );
    expect(await fixture.findings(jobId, '?category=links&status=open')).not.toHaveLength(0);
    expect(await fixture.findings(jobId, '?status=snoozed')).toHaveLength(0);
    const all = await fixture.findings(jobId, '?limit=200');
    expect(await fixture.findings(jobId, '?limit=1&offset=1')).toEqual([all[1]]);
    for (const query of [
      'severity=bad',
      'category=bad',
      'code=bad',
      'status=bad',
      'limit=0',
      'limit=201',
      'offset=-1',
    ]) {
      const { status } = await fixture.call('GET', `/v1/inspect/${jobId}/findings?${query}`);
      expect([query, status]).toEqual([query, 422]);
    }
  });

  test('each of many elements at fault is a finding of its own, with its place, in pages', async () => {
    const fixture = await Fixture.open();
    await fixture.change('welcome', `<p>Hello</p>\n${'<a href="">x</a>\n'.repeat(130)}`);
    const { job_id: jobId, summary } = await fixture.run();
    expect(summary.critical).toBe(130);
    const pages = [0, 50, 100].map((offset) =>
      fixture.findings(jobId, `?code=LK002&limit=50&offset=${offset}`),
    );
    const found = (await Promise.all(pages)).flat();
    expect(found.map(({ line }) => line)).toEqual(Array.from({ length: 130 }, (_, index) => index + 2));
  });

  test('of a run with a contact are those of what the contact gets', async () => {
    const fixture = await Fixture.open();
    await fixture.change(
      'welcome',
      '<p>Hello</p>{if the user\'s VIP}<a href="">for few</a>{else}<a href="/x">for many</a>{end if}',
    );
    for (const [external_id, vip] of [
      ['few', true],
      ['many', false],
    ] as const) {
      const contact = { external_id, email: `${external_id}@example.com`, properties: { vip } };
      expect((await fixture.workspace.call('POST', '/v1/contacts', contact)).status).toBe(201);
      const { job_id: jobId } = await fixture.run({ contact_id: external_id });
      const codes = (await fixture.findings(jobId, '?category=links')).map(({ code }) => code as string);
      expect([codes.includes('LK002'), codes.includes('LK003')]).toEqual([vip, !vip]);
    }
  });

  test('a snooze ends at its time and holds in later runs until then', async () => {
    const fixture = await Fixture.open();
    const { job_id: first, score } = await fixture.run();
    const { id } = await fixture.emptyLink(first);
    const marked = await fixture.call('POST', `/v1/inspect/findings/${id}/snooze`, {
      days: 7,
      reason: 'Soon.',
    });
    expect([marked.status, marked.body]).toEqual([
      200,
      expect.objectContaining({ id, status: 'snoozed', snoozed_until: MOMENT, reason: 'Soon.' }),
    ]);
    const later = await fixture.run();
    expect((await fixture.emptyLink(later.job_id)).status).toBe('snoozed');
    expect(later.can_send).toBe(true);
    expect(later.score).toBeGreaterThan(score as number);
    app.clock.wind(7 * DAY);
    expect((await fixture.emptyLink(later.job_id)).status).toBe('open');
    expect((await fixture.run()).can_send).toBe(false);
  });

  test('a false positive holds though the element moves; another element is open', async () => {
    const fixture = await Fixture.open();
    const { id } = await fixture.emptyLink((await fixture.run()).job_id);
    await fixture.call('POST', `/v1/inspect/findings/${id}/mark-false-positive`, { reason: 'A button.' });
    await fixture.change('welcome', BODY.replace('<p>', '<p>New</p>\n<p>'));
    const moved = await fixture.emptyLink((await fixture.run()).job_id);
    expect(moved).toMatchObject({ line: 4, status: 'false_positive', reason: 'A button.' });
    await fixture.change('welcome', BODY.replace('<a href="">Buy', '<a href="" class="x">Sell'));
    expect((await fixture.emptyLink((await fixture.run()).job_id)).status).toBe('open');
  });

  test('a mark is on one script, link or placeholder alone, and stays when its line changes', async () => {
    const fixture = await Fixture.open();
    const line = (rest: string): string => `<p>«A» <a href="">one</a></p><script>a()</script>${rest}`;
    await fixture.change('welcome', line(''));
    const { job_id: first } = await fixture.run();
    const marked = await fixture.findings(first as string, '?severity=critical');
    expect(marked).toHaveLength(3);
    for (const { id } of marked)
      await fixture.call('POST', `/v1/inspect/findings/${id}/mark-false-positive`, {});
    await fixture.change(
      'welcome',
      line('<h2>«B» <a href="">two</a></h2><script>entirelyDifferent()</script>'),
    );
    const { job_id: second } = await fixture.run();
    const statuses = (await fixture.findings(second as string, '?severity=critical')).map(
      ({ code, column, status }) => [code, column, status],
    );
    for (const code of new Set(marked.map((each) => each.code)))
      expect(statuses.filter(([of]) => of === code).map(([, , status]) => status)).toEqual([
        'false_positive',
        'open',
      ]);
  });

  test('a private address is told once, though it is known and asked for', async () => {
    const fixture = await Fixture.open();
    await fixture.change(
      'welcome',
      '<a href="http://localhost/x">Shop now</a>\n<img src="http://10.0.0.1/a.png" alt="Shoes">',
    );
    const { job_id: jobId } = await fixture.run();
    expect(await fixture.findings(jobId as string, '?code=LK009')).toHaveLength(1);
    expect(await fixture.findings(jobId as string, '?code=IM004')).toHaveLength(1);
  });

  test('one marked fixed that a later run finds is open again', async () => {
    const fixture = await Fixture.open();
    const { job_id: first } = await fixture.run();
    const { id } = await fixture.emptyLink(first);
    const marked = await fixture.call('POST', `/v1/inspect/findings/${id}/mark-fixed`);
    expect([marked.status, marked.body.status]).toEqual([200, 'fixed']);
    expect((await fixture.emptyLink(first)).status).toBe('fixed');
    const again = await fixture.run();
    expect((await fixture.emptyLink(again.job_id)).status).toBe('open');
    expect(again.can_send).toBe(false);
  });

  test.each([
    ['snooze', { days: 0 }, 422],
    ['snooze', { days: 366 }, 422],
    ['snooze', {}, 400],
    ['mark-fixed', { reason: 'It is.' }, 422],
    ['mark-fixed', [], 400],
    ['snooze', { days: 1, reason: ' ' }, 422],
    ['mark-false-positive', { reason: 'x'.repeat(501) }, 422],
  ])('%s of %j is refused with %i', async (verb, body, status) => {
    const fixture = await Fixture.open();
    const { id } = await fixture.emptyLink((await fixture.run()).job_id);
    expect((await fixture.call('POST', `/v1/inspect/findings/${id}/${verb}`, body)).status).toBe(status);
  });

  test('an unknown one is 404 finding_not_found, also another workspace’s', async () => {
    const fixture = await Fixture.open();
    const other = await Fixture.open();
    const { id: foreign } = await other.emptyLink((await other.run()).job_id);
    for (const id of [UNKNOWN_ID, 'nope', foreign as string]) {
      const { status, body } = await fixture.call('POST', `/v1/inspect/findings/${id}/snooze`, { days: 1 });
      expect([status, body.code]).toEqual([404, 'finding_not_found']);
    }
  });

  test('are gone with their template', async () => {
    const fixture = await Fixture.open();
    const { job_id: jobId } = await fixture.run();
    await fixture.workspace.call('DELETE', '/v1/templates/welcome');
    expect((await fixture.call('GET', `/v1/inspect/${jobId}`)).status).toBe(404);
    for (const table of ['inspect_jobs', 'inspect_findings', 'inspect_marks']) {
      const { rows } = await admin.query(`SELECT 1 FROM ${table} WHERE workspace_id = $1`, [
        fixture.workspace.id,
      ]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });
});

describe('credits', () => {
  test('a full run costs one a version, once; what is left, and where it went', async () => {
    const fixture = await Fixture.open({ plan: 'free' });
    expect((await fixture.call('GET', '/v1/inspect/credits')).body).toEqual({
      ...{ balance: 5, monthly: 5, used: 0, ledger: [] },
      resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/),
    });
    expect((await fixture.run({ mode: 'full' })).credits_charged).toBe(1);
    expect((await fixture.run({ mode: 'full' })).credits_charged).toBe(0);
    expect((await fixture.run()).credits_charged).toBe(0);
    const { body } = await fixture.call('GET', '/v1/inspect/credits');
    expect(body).toMatchObject({ balance: 4, monthly: 5, used: 1 });
    expect(body.ledger).toEqual([
      {
        ...{ id: UUID, delta: -1, reason: 'full_run', job_id: UUID, template_slug: 'welcome' },
        ...{ template_version: 1, created_at: MOMENT },
      },
    ]);
    for (let version = 2; version <= 5; version++) {
      await fixture.change('welcome', `${BODY}<!-- ${version} -->`);
      expect((await fixture.run({ mode: 'full' })).credits_charged).toBe(1);
    }
    await fixture.change('welcome', `${BODY}<!-- 6 -->`);
    const refused = await fixture.call('POST', '/v1/inspect', { template_slug: 'welcome' });
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'plan_limit_reached', limit_type: 'inspect_credits', current: 5, maximum: 5, plan: 'free' },
    ]);
    expect((await fixture.run()).status).toBe('completed');
  });

  test('are unlimited on enterprise: balance and monthly are null', async () => {
    const fixture = await Fixture.open({ plan: 'enterprise' });
    await fixture.run({ mode: 'full' });
    expect((await fixture.call('GET', '/v1/inspect/credits')).body).toMatchObject({
      ...{ balance: null, monthly: null, used: 1 },
    });
  });
});

describe('config', () => {
  const CLIENTS = [
    ...['gmail_web', 'gmail_app', 'outlook_windows', 'outlook_com'],
    ...['apple_mail', 'yahoo', 'samsung_mail', 'thunderbird'],
  ];

  test('has defaults, and PUT replaces what it names', async () => {
    const fixture = await Fixture.open();
    const defaults = {
      ...{ render_clients: CLIENTS, auto_run_on_save: false, blocking: 'warn' },
      ...{ spam_provider: 'builtin', snoozed_codes: [] },
    };
    expect((await fixture.call('GET', '/v1/inspect/config')).body).toEqual(defaults);
    const change = { blocking: 'block', snoozed_codes: ['LK002', 'AC999'] };
    expect((await fixture.call('PUT', '/v1/inspect/config', change)).status).toBe(200);
    const { body } = await fixture.call('PUT', '/v1/inspect/config', { render_clients: ['yahoo'] });
    expect(body).toEqual({
      ...defaults,
      ...{ blocking: 'block', snoozed_codes: ['AC999', 'LK002'], render_clients: ['yahoo'] },
    });
    expect((await fixture.call('GET', '/v1/inspect/config')).body).toEqual(body);
  });

  test.each([
    { render_clients: ['lotus_notes'] },
    { snoozed_codes: ['lk001'] },
    { snoozed_codes: ['XX001'] },
    { snoozed_codes: 'LK002' },
    { blocking: 'maybe' },
    { spam_provider: 'other' },
    { auto_run_on_save: 'yes' },
  ])('%j is refused with 422', async (change) => {
    const fixture = await Fixture.open();
    expect((await fixture.call('PUT', '/v1/inspect/config', change)).status).toBe(422);
  });

  test('snoozed codes are not reported by later runs', async () => {
    const fixture = await Fixture.open();
    await fixture.call('PUT', '/v1/inspect/config', { snoozed_codes: ['LK002'] });
    const job = await fixture.run();
    expect(await fixture.emptyLink(job.job_id)).toBeUndefined();
    expect(job.can_send).toBe(true);
  });

  test('auto_run_on_save examines every version that is saved, quickly', async () => {
    const fixture = await Fixture.open();
    await fixture.call('PUT', '/v1/inspect/config', { auto_run_on_save: true });
    await fixture.change('welcome', `${BODY}<!-- 2 -->`);
    const query =
      '{ inspectJobs(templateSlug: "welcome") { edges { node { mode status templateVersion creditsCharged } } } }';
    await until('it was examined', async () => {
      const { body } = await fixture.workspace.graphql(query);
      return body.data.inspectJobs.edges[0]?.node.status === 'completed';
    });
    expect((await fixture.workspace.graphql(query)).body.data.inspectJobs.edges).toEqual([
      { node: { mode: 'quick', status: 'completed', templateVersion: 2, creditsCharged: 0 } },
    ]);
  });
});

test('GraphQL says the same', async () => {
  const fixture = await Fixture.open();
  const ask = async (query: string): Promise<any> => {
    const { body } = await fixture.workspace.graphql(query);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const { runInspection } = await ask(
    'mutation { runInspection(input: { templateSlug: "welcome", mode: quick }) { jobId status creditsCharged } }',
  );
  expect(runInspection).toEqual({ jobId: UUID, status: 'queued', creditsCharged: 0 });
  const { jobId } = runInspection;
  const job = await fixture.ended(jobId);
  const { inspectJob } = await ask(
    `{ inspectJob(id: "${jobId}") { status score canSend summary { critical byCategory { category findings } } checks { name } } }`,
  );
  expect(inspectJob).toMatchObject({ status: 'completed', score: job.score, canSend: false });
  const list = `inspectFindings(jobId: "${jobId}", first: 1, filter: { code: "LK002" }) { totalCount edges { cursor node { id code status } } }`;
  const { inspectFindings } = await ask(`{ ${list} }`);
  const [{ node }] = inspectFindings.edges;
  expect([inspectFindings.totalCount, node.code, node.status]).toEqual([1, 'LK002', 'open']);
  const snoozed = await ask(`mutation { snoozeFinding(id: "${node.id}", input: { days: 1 }) { status } }`);
  expect(snoozed.snoozeFinding.status).toBe('snoozed');
  const fixed = await ask(`mutation { markFindingFixed(id: "${node.id}") { status } }`);
  expect(fixed.markFindingFixed.status).toBe('fixed');
  const wrong = await ask(`mutation { markFindingFalsePositive(id: "${node.id}", input: {}) { status } }`);
  expect(wrong.markFindingFalsePositive.status).toBe('false_positive');
  const change = 'mutation { updateInspectConfig(input: { blocking: off }) { blocking renderClients } }';
  expect((await ask(change)).updateInspectConfig.blocking).toBe('off');
  const { inspectConfig, inspectCredits } = await ask(
    '{ inspectConfig { blocking } inspectCredits { balance used resetsAt ledger { delta } } }',
  );
  expect([inspectConfig.blocking, inspectCredits.used]).toEqual(['off', 0]);
});
