/**
 * The quality gate before anything sends templates (section 4.7): the workspace's configuration, the findings, their
 * dismissals and the tokens in the request decide whether a flow may be activated, or a campaign sent or scheduled.
 */
import pg from 'pg';
import type { Answer, TestWorkspace } from '../support/app.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { DAY, HOUR } from '../support/clock.js';
import { until } from '../support/until.js';

const fixture = campaignsFixture();
/** A critical finding, with its line. */
const BAD = '<p>Hello there, this is our news.</p>\n<p><a href="">Read on</a></p>';
const GOOD = '<p>Hello there, this is our news.</p>';
const REASON = 'Its readers know of it.';
const UNKNOWN = 'A'.repeat(43);

let serial = 0;

/** Calls as the owner. */
const call = (method: string, path: string, body?: unknown, of = fixture.workspace): Promise<Answer> =>
  fixture.app.request(method, path, body, {
    authorization: `Bearer ${of.ownerToken}`,
    'x-workspace-id': of.id,
  });

async function ok(method: string, path: string, body?: unknown, of?: TestWorkspace): Promise<any> {
  const answer = await call(method, path, body, of);
  expect([answer.status < 300, answer.body.detail]).toEqual([true, undefined]);
  return answer.body;
}

const configure = (config: object, of?: TestWorkspace): Promise<any> =>
  ok('PUT', '/v1/inspect/config', config, of);

async function template(body_html = BAD, more: object = {}, of?: TestWorkspace): Promise<string> {
  const slug = `gated-${++serial}`;
  await ok('POST', '/v1/templates', { name: slug, slug, subject: 'News', body_html, ...more }, of);
  return slug;
}

async function flow(slugs: readonly string[], more: object = {}, of?: TestWorkspace): Promise<string> {
  const steps = slugs.map((template_slug) => ({ type: 'send_email', template_slug, ...more }));
  const body = { name: 'Gated', trigger_event: 'began', content_type: 'transactional', steps };
  return (await ok('POST', '/v1/flows', body, of)).id as string;
}

const activate = (id: string, body?: object): Promise<Answer> =>
  call('POST', `/v1/flows/${id}/activate`, body);

const check = (template_slug: string, override_token?: string): Promise<any> =>
  ok('POST', '/v1/inspect/pre-send-check', { template_slug, ...(override_token ? { override_token } : {}) });

const override = async (template_slug: string, of?: TestWorkspace): Promise<string> =>
  (await ok('POST', '/v1/inspect/override', { template_slug, reason: REASON }, of)).token as string;

/** Starts an inspection of the template, waits for it, and returns the run. */
async function examined(template_slug: string, more: object = {}): Promise<any> {
  fixture.app.clock.wind(1_000);
  const { job_id } = await ok('POST', '/v1/inspect', { template_slug, mode: 'quick', ...more });
  let job: any;
  await until('the run has ended', async () => {
    job = await ok('GET', `/v1/inspect/${job_id}`);
    return ['completed', 'failed'].includes(job.status as string);
  });
  return job;
}

async function criticalOf(template_slug: string): Promise<any> {
  const { job_id } = await examined(template_slug);
  const { findings } = await ok('GET', `/v1/inspect/${job_id}/findings?severity=critical`);
  expect(findings).toHaveLength(1);
  return findings[0];
}

/** A finding as lists return it, with the template that a refused send adds to it. */
const ofTemplate = (finding: object, template_slug: string): object => ({
  ...finding,
  ...{ template_slug, template_version: 1 },
});

/** The inspection runs of a template. */
async function runsOf(slug: string): Promise<any[]> {
  const { rows } = await fixture.admin.query(
    'SELECT trigger, mode, status, credits_charged FROM inspect_jobs WHERE workspace_id = $1 AND template_slug = $2',
    [fixture.workspace.id, slug],
  );
  return rows;
}

async function campaign(slug: string, more: object = {}): Promise<string> {
  const { body } = await fixture.workspace.graphql(`{ template(slug: "${slug}") { id } }`);
  const segment_id = await fixture.segment();
  return (await fixture.campaign({ template_id: body.data.template.id, segment_id, ...more })).id as string;
}

const blocked = (slug: string): object => ({
  code: 'inspection_blocked',
  findings: [expect.objectContaining({ template_slug: slug, severity: 'critical', line: 2 })],
  errors: [{ field: 'template_slug', message: expect.stringContaining(slug) }],
});

describe('what is configured', () => {
  test.each([
    ['off', 'never examined', undefined],
    ['off', 'critical', undefined],
    ['warn', 'never examined', undefined],
    ['warn', 'critical', 'warned'],
    ['block', 'never examined', 'blocked'],
    ['block', 'critical', 'blocked'],
  ])('under %s, a template that is %s: %s', async (blocking, state, outcome) => {
    await configure({ blocking });
    const slug = await template();
    if (state === 'critical') await examined(slug);
    const { status, body } = await activate(await flow([slug]));
    if (outcome === 'blocked') {
      expect(status).toBe(422);
      expect(body).toMatchObject(blocked(slug));
    } else {
      expect([status, body.status]).toEqual([200, 'active']);
      expect(body.warnings).toEqual(
        outcome === 'warned'
          ? [{ template_slug: slug, code: expect.any(String), message: expect.any(String), line: 2 }]
          : undefined,
      );
    }
  });

  test('under block what was never examined is examined, once and free of charge, and passes when nothing is wrong', async () => {
    await configure({ blocking: 'block' });
    const slug = await template(GOOD);
    const { status, body } = await activate(await flow([slug]), {});
    expect([status, body.warnings, body.findings, body.errors]).toEqual([
      200,
      undefined,
      undefined,
      undefined,
    ]);
    expect((await activate(await flow([slug]))).status).toBe(200);
    const run = { trigger: 'gate', mode: 'quick', status: 'completed', credits_charged: 0 };
    expect(await runsOf(slug)).toEqual([run]);
  });

  test('a new version is examined anew', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const id = await flow([slug]);
    expect((await activate(id)).status).toBe(422);
    fixture.app.clock.wind(1_000);
    await ok('PUT', `/v1/templates/${slug}`, { body_html: GOOD });
    expect((await activate(id)).status).toBe(200);
    expect(await runsOf(slug)).toHaveLength(2);
  });

  test('a version that is saved between a good inspection and the activation is judged anew', async () => {
    await configure({ blocking: 'block' });
    const slug = await template(GOOD);
    const id = await flow([slug]);
    await examined(slug);
    expect((await check(slug)).can_send).toBe(true);
    fixture.app.clock.wind(1_000);
    await ok('PUT', `/v1/templates/${slug}`, { body_html: BAD });
    const { status, body } = await activate(id);
    expect([status, body.findings[0].template_version]).toEqual([422, 2]);
    expect(await check(slug)).toMatchObject({ can_send: false, template_version: 2, inspected_version: 2 });
  });

  test('unknown fields are refused, and nothing else is asked of the body', async () => {
    const id = await flow([]);
    expect((await activate(id, { token: 'x' })).body.errors[0].field).toBe('token');
    expect((await activate(id, { override_token: null })).status).toBe(200);
  });
});

describe('what was said of a finding', () => {
  test.each(['mark-false-positive', 'mark-fixed'])('%s counts at once', async (mark) => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const finding = await criticalOf(slug);
    const id = await flow([slug]);
    expect((await activate(id)).status).toBe(422);
    await ok('POST', `/v1/inspect/findings/${finding.id}/${mark}`, {});
    expect(await check(slug)).toMatchObject({ can_send: true, findings: [], reason: null });
    expect((await activate(id)).status).toBe(200);
  });

  test('a snooze counts until it is over', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const { id } = await criticalOf(slug);
    await ok('POST', `/v1/inspect/findings/${id}/snooze`, { days: 2 });
    fixture.app.clock.wind(2 * DAY - HOUR);
    expect((await activate(await flow([slug]))).status).toBe(200);
    fixture.app.clock.wind(HOUR);
    expect((await activate(await flow([slug]))).body).toMatchObject(blocked(slug));
  });

  test('codes that the workspace does not want to hear of count no more', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const { code } = await criticalOf(slug);
    await configure({ snoozed_codes: [code] });
    expect((await activate(await flow([slug]))).status).toBe(200);
    await configure({ snoozed_codes: [] });
  });

  test('codes that it wants to hear of again count again, also those of runs that were made meanwhile', async () => {
    const slug = await template();
    const { code } = await criticalOf(slug);
    await configure({ blocking: 'block', snoozed_codes: [code] });
    const job = await examined(slug);
    const listed = (): Promise<any> => ok('GET', `/v1/inspect/${job.job_id}/findings?code=${code}`);
    expect([job.can_send, job.summary.critical, (await listed()).total]).toEqual([true, 0, 0]);
    expect(await check(slug)).toMatchObject({ can_send: true, findings: [], score: job.score });
    const id = await flow([slug]);
    await configure({ snoozed_codes: [] });
    expect(await check(slug)).toMatchObject({ can_send: false, findings: [{ code, job_id: job.job_id }] });
    expect(await listed()).toMatchObject({ total: 1, findings: [{ code, status: 'open' }] });
    expect((await activate(id)).body).toMatchObject(blocked(slug));
  });
});

describe('a finding', () => {
  test('has the shape that lists show, and its template where several may be named', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const finding = await criticalOf(slug);
    const checked = await check(slug);
    expect(checked.findings).toEqual([finding]);
    expect(Object.keys(checked.findings[0] as object)).toEqual(Object.keys(finding as object));
    const { findings } = (await activate(await flow([slug]))).body;
    expect(findings).toEqual([ofTemplate(finding, slug)]);
    expect(Object.keys(findings[0] as object)).toEqual(Object.keys(ofTemplate(finding, slug)));
  });

  test.each(['rendering', 'dark_mode'])(
    'of %s, that only a full run finds, counts behind quick ones too',
    async (category) => {
      await configure({ blocking: 'block' });
      const slug = await template(GOOD);
      const full = await examined(slug, { mode: 'full' });
      await fixture.admin.query(
        `INSERT INTO inspect_findings (workspace_id, job_id, template_id, id, target, code, category, severity, place, message,
         line, "column", snippet, clients, edits)
       SELECT workspace_id, id, template_id, gen_random_uuid(), kind, 'RN998', kind, 'critical', 900 + nth, 'Unseen.', 1, 1, NULL, '[]', NULL
       FROM inspect_jobs, unnest(ARRAY[$2, 'html']) WITH ORDINALITY AS added (kind, nth) WHERE id = $1`,
        [full.job_id, category],
      );
      const quick = await examined(slug);
      expect(await check(slug)).toMatchObject({
        ...{ can_send: false, last_inspected_at: quick.completed_at },
        findings: [{ category, job_id: full.job_id }],
      });
      expect((await activate(await flow([slug]))).body.findings).toMatchObject([{ category }]);
      const { id } = (await check(slug)).findings[0];
      await ok('POST', `/v1/inspect/findings/${id}/mark-fixed`, {});
      expect(await check(slug)).toMatchObject({ can_send: true, findings: [] });
      fixture.app.clock.wind(1_000);
      await ok('PUT', `/v1/templates/${slug}`, { body_html: `${GOOD}<p>More</p>` });
      await examined(slug);
      expect(await check(slug)).toMatchObject({ can_send: true, template_version: 2, findings: [] });
    },
  );
});

describe('the subject', () => {
  test('is not missed where the place that sends gives one', async () => {
    await configure({ blocking: 'block' });
    const slug = await template(GOOD, { subject: null });
    expect((await activate(await flow([slug]))).body.findings).toMatchObject([{ code: 'SJ001' }]);
    expect((await activate(await flow([slug], { subject: 'News' }))).status).toBe(200);
    expect(await check(slug)).toMatchObject({ can_send: false, findings: [{ code: 'SJ001' }] });
    const id = await campaign(slug, { subject: 'News' });
    expect((await fixture.call('POST', `/${id}/send`, {})).status).toBe(200);
  });

  test('that is given to a run counts for nothing, and all else that the run finds counts', async () => {
    await configure({ blocking: 'block' });
    const slug = await template(GOOD, { subject: null });
    const run = await examined(slug, { subject: '«News»' });
    expect([run.can_send, run.summary.critical]).toEqual([false, 1]);
    const { findings } = await ok('GET', `/v1/inspect/${run.job_id}/findings?severity=critical`);
    expect(findings).toMatchObject([{ code: 'HT003' }]);
    expect(await check(slug)).toMatchObject({ can_send: false, findings: [{ code: 'SJ001' }] });
    // That run has inspected the version, so no other run is needed.
    expect(await runsOf(slug)).toHaveLength(1);
    const own = await template(GOOD);
    await examined(own, { subject: '«News»' });
    expect(await check(own)).toMatchObject({ can_send: true, reason: null, findings: [] });
    const bad = await template(BAD);
    const { job_id } = await examined(bad, { subject: 'News' });
    expect(await check(bad)).toMatchObject({
      ...{ can_send: false, reason: 'critical_findings' },
      findings: [{ job_id, line: 2 }],
    });
    await configure({ blocking: 'warn' });
    expect((await activate(await flow([bad]))).body.warnings).toMatchObject([
      { template_slug: bad, line: 2 },
    ]);
  });

  test.each(['\u200b', ' \u2060\u00ad\u00a0'])(
    'of which nobody sees anything is none: %j',
    async (subject) => {
      await configure({ blocking: 'block' });
      const slug = await template(GOOD, { subject });
      expect((await activate(await flow([slug], { subject }))).body.findings).toMatchObject([
        { code: 'SJ001' },
      ]);
    },
  );
});

describe('a run with a contact', () => {
  test('says nothing of the template: what stands behind a condition is not hidden by choosing whom', async () => {
    await configure({ blocking: 'block' });
    const person = { external_id: `chosen-${++serial}`, email: `chosen-${serial}@example.com` };
    expect((await fixture.workspace.call('POST', '/v1/contacts', person)).status).toBe(201);
    const slug = await template();
    await examined(slug);
    // The latest run covers only the chosen contact's branch, so it does not open the gate.
    const { job_id: id } = await examined(slug, { contact_id: person.external_id });
    const { rowCount } = await fixture.admin.query('DELETE FROM inspect_findings WHERE job_id = $1', [id]);
    expect(rowCount).toBeGreaterThan(0);
    expect(await check(slug)).toMatchObject({ can_send: false, reason: 'critical_findings' });
    // It does not open it after the contact is erased either.
    await fixture.admin.query('UPDATE inspect_jobs SET contact_id = NULL WHERE id = $1', [id]);
    expect(await check(slug)).toMatchObject({ can_send: false, reason: 'critical_findings' });
  });
});

describe('tokens', () => {
  test('let their version pass, as often as is wanted, for a day', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const before = fixture.app.clock.now();
    const made = await ok('POST', '/v1/inspect/override', { template_slug: slug, reason: REASON });
    expect(made).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      ...{ template_slug: slug, template_version: 1 },
      expires_at: new Date(before.getTime() + DAY).toISOString(),
    });
    const { token } = made;
    for (const body of [{ override_token: token }, { override_tokens: [UNKNOWN, token] }]) {
      expect((await activate(await flow([slug]), body)).status).toBe(200);
      expect(await check(slug, token as string)).toMatchObject({ can_send: true, overridden: true });
    }
    fixture.app.clock.wind(DAY);
    expect((await activate(await flow([slug]), { override_token: token })).body).toMatchObject(blocked(slug));
    expect(await check(slug, token as string)).toMatchObject({ can_send: false, overridden: false });
  });

  test('let nothing else pass', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const elsewhere = await fixture.app.workspace();
    await ok('POST', '/v1/templates', { name: slug, slug, subject: 'S', body_html: BAD }, elsewhere);
    const old = await override(slug);
    fixture.app.clock.wind(1_000);
    await ok('PUT', `/v1/templates/${slug}`, { body_html: `${BAD}<p>More</p>` });
    const wrong = [UNKNOWN, '', 'no token at all', old, await override(await template())];
    wrong.push(await override(slug, elsewhere));
    for (const override_token of wrong)
      expect([override_token, (await activate(await flow([slug]), { override_token })).status]).toEqual([
        override_token,
        422,
      ]);
  });

  test('are needed for every template that has findings', async () => {
    await configure({ blocking: 'block' });
    const slugs = [await template(), await template(), await template(GOOD)];
    const [first = '', second = ''] = slugs;
    const tokens = [await override(first), await override(second)];
    const id = await flow(slugs);
    expect((await activate(id, { override_token: tokens[0] })).body).toMatchObject(blocked(second));
    expect((await activate(id, { override_tokens: tokens })).status).toBe(200);
  });

  test('are kept as hashes, and who made them and why is in the log of changes', async () => {
    const slug = await template();
    const token = await override(slug);
    const { rows } = await fixture.admin.query('SELECT * FROM inspect_overrides WHERE template_slug = $1', [
      slug,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    const { body } = await fixture.workspace.graphql(
      '{ auditLog(first: 1) { edges { node { action actor template reason at after } } } }',
    );
    const { node } = body.data.auditLog.edges[0];
    expect(node).toMatchObject({ action: 'inspect_override_created', template: slug, reason: REASON });
    expect(node.actor).toBe(rows[0].created_by);
    expect(node.at).toBe(rows[0].created_at.toISOString());
    expect(JSON.stringify(node)).not.toContain(token);
  });

  test.each(['', ' '.repeat(12), 'too short', `a${' '.repeat(12)}`, 'x'.repeat(501), null])(
    'are not made for the reason %j',
    async (reason) => {
      const answer = await call('POST', '/v1/inspect/override', { template_slug: await template(), reason });
      expect([answer.status, answer.body.errors[0].field]).toEqual([422, 'reason']);
    },
  );

  test('are not made in a workspace that is suspended', async () => {
    const workspace = await fixture.app.workspace();
    const slug = await template(BAD, {}, workspace);
    await fixture.admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [workspace.id]);
    fixture.app.clock.wind(HOUR);
    await until('the service knows', async () => {
      const { status, body } = await call(
        'POST',
        '/v1/inspect/override',
        { template_slug: slug, reason: REASON },
        workspace,
      );
      return status === 403 && body.code === 'workspace_suspended';
    });
  });

  test('are at most a thousand that are good', async () => {
    const workspace = await fixture.app.workspace();
    const slug = await template(BAD, {}, workspace);
    await override(slug, workspace);
    await fixture.admin.query(
      `INSERT INTO inspect_overrides SELECT workspace_id, gen_random_uuid(), n::text, template_id, template_slug,
         template_version, reason, created_by, created_at, expires_at
       FROM inspect_overrides, generate_series(2, 1000) n WHERE workspace_id = $1`,
      [workspace.id],
    );
    const wanted = { template_slug: slug, reason: REASON };
    expect((await call('POST', '/v1/inspect/override', wanted, workspace)).body.code).toBe('conflict');
    fixture.app.clock.wind(DAY);
    await override(slug, workspace);
  });
});

describe('the check', () => {
  test('tells what it knows, and examines nothing but under block', async () => {
    await configure({ blocking: 'warn' });
    const slug = await template();
    expect(await check(slug)).toEqual({
      ...{ can_send: true, blocking: 'warn', reason: 'never_inspected', findings: [], score: null },
      ...{ template_version: 1, inspected_version: null, last_inspected_at: null, overridden: false },
    });
    expect(await runsOf(slug)).toEqual([]);
    const job = await examined(slug);
    expect(await check(slug)).toEqual({
      ...{ can_send: true, blocking: 'warn', reason: 'critical_findings', score: job.score },
      ...{
        template_version: 1,
        inspected_version: 1,
        last_inspected_at: job.completed_at,
        overridden: false,
      },
      findings: [expect.objectContaining({ job_id: job.job_id, line: 2, column: 4 })],
    });
    fixture.app.clock.wind(1_000);
    await ok('PUT', `/v1/templates/${slug}`, { body_html: GOOD });
    expect(await check(slug)).toMatchObject({
      ...{ can_send: true, reason: 'never_inspected', findings: [], score: null },
      ...{ template_version: 2, inspected_version: 1, last_inspected_at: job.completed_at },
    });
    await configure({ blocking: 'block' });
    expect(await check(slug)).toMatchObject({ can_send: true, reason: null, inspected_version: 2 });
  });

  test('is the same in GraphQL', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const made = await fixture.workspace.graphql(
      `mutation { createInspectOverride(input: { templateSlug: "${slug}", reason: "${REASON}" }) { token templateVersion } }`,
    );
    const { token } = made.body.data.createInspectOverride;
    const { body } = await fixture.workspace.graphql(
      `{ preSendCheck(templateSlug: "${slug}") { canSend blocking reason findings { code line } overridden }
         with: preSendCheck(templateSlug: "${slug}", overrideToken: "${token}") { canSend overridden } }`,
    );
    expect(body.data).toEqual({
      preSendCheck: {
        ...{ canSend: false, blocking: 'block', reason: 'critical_findings', overridden: false },
        findings: [{ code: expect.any(String), line: 2 }],
      },
      with: { canSend: true, overridden: true },
    });
  });

  test('says of a text with errors that no token helps', async () => {
    await configure({ blocking: 'block' });
    const slug = await template('<p>Hello \u00abname\u00bb, this is our news.</p>');
    const token = await override(slug);
    expect(await check(slug)).toMatchObject({ can_send: false, reason: 'template_errors' });
    expect(await check(slug, token)).toMatchObject({ reason: 'template_errors', overridden: true });
    const { status, body } = await activate(await flow([slug]), { override_token: token });
    expect([status, body.code]).toEqual([422, 'template_errors']);
  });

  test('knows of no template of that name', async () => {
    const { status, body } = await call('POST', '/v1/inspect/pre-send-check', { template_slug: 'nowhere' });
    expect([status, body.code]).toEqual([404, 'template_not_found']);
  });
});

describe('many flows', () => {
  test('those that are blocked are failed, each with an entry', async () => {
    await configure({ blocking: 'block' });
    const slug = await template();
    const ids = [await flow([slug]), await flow([])];
    const body = await ok('POST', '/v1/flows/bulk-action', { flow_ids: ids, action: 'activate' });
    expect(body).toMatchObject({
      ...{ success: 1, failed: 1 },
      errors: [{ flow_id: ids[0], code: 'inspection_blocked', errors: [{ field: 'template_slug' }] }],
    });
  });

  test('GraphQL tells what is wrong under warn, and takes tokens under block', async () => {
    await configure({ blocking: 'warn' });
    const slug = await template();
    await examined(slug);
    const asked = (id: string, more = ''): Promise<Answer> =>
      fixture.workspace.graphql(
        `mutation { activateFlow(id: "${id}"${more}) { status warnings { code line } } }`,
      );
    const warned = await asked(await flow([slug]));
    expect(warned.body.data.activateFlow).toEqual({
      status: 'active',
      warnings: [{ code: expect.any(String), line: 2 }],
    });
    await configure({ blocking: 'block' });
    const id = await flow([slug]);
    const { extensions } = (await asked(id)).body.errors[0];
    expect(extensions).toMatchObject({ code: 'inspection_blocked', findings: [{ templateSlug: slug }] });
    const passed = await asked(id, `, overrideTokens: ["${await override(slug)}"]`);
    expect(passed.body.data.activateFlow).toEqual({ status: 'active', warnings: [] });
  });
});

describe('campaigns', () => {
  const inAYear = (): string => new Date(fixture.app.clock.now().getTime() + 365 * DAY).toISOString();
  const CALLS = [
    ['send', () => ({})],
    ['schedule', () => ({ scheduled_at: inAYear() })],
    ['schedule-recurring', () => ({ frequency: 'daily' })],
  ] as const;

  test.each(CALLS)(
    '%s is kept under block, passes with a token, and warns under warn',
    async (name, moreOf) => {
      const more = moreOf();
      await configure({ blocking: 'block' });
      const slug = await template();
      const id = await campaign(slug);
      const refused = await fixture.call('POST', `/${id}/${name}`, more);
      expect([refused.status, (await fixture.get(id)).body.status]).toEqual([422, 'draft']);
      expect(refused.body).toMatchObject(blocked(slug));
      const passed = await fixture.call('POST', `/${id}/${name}`, {
        ...more,
        override_token: await override(slug),
      });
      expect([passed.status, passed.body.warnings]).toEqual([200, undefined]);
      await configure({ blocking: 'warn' });
      const { body } = await fixture.call('POST', `/${await campaign(slug)}/${name}`, more);
      expect(body.warnings).toMatchObject([{ template_slug: slug, line: 2 }]);
    },
  );

  test('one that was scheduled begins without being asked again', async () => {
    await configure({ blocking: 'off' });
    const slug = await template();
    await examined(slug);
    const id = await campaign(slug);
    const scheduled_at = new Date(fixture.app.clock.now().getTime() + HOUR).toISOString();
    await fixture.call('POST', `/${id}/schedule`, { scheduled_at });
    await configure({ blocking: 'block' });
    await until('it has begun', async () => {
      fixture.app.clock.wind(10 * 60_000);
      return (await fixture.get(id)).body.started_at !== null;
    });
  });

  test('a recurrence that is taken up again is asked', async () => {
    await configure({ blocking: 'off' });
    const slug = await template();
    const id = await campaign(slug);
    await fixture.call('POST', `/${id}/schedule-recurring`, { frequency: 'daily' });
    await fixture.call('POST', `/${id}/stop-recurring`);
    await configure({ blocking: 'block' });
    expect((await fixture.call('POST', `/${id}/resume-recurring`)).body).toMatchObject(blocked(slug));
    const body = { override_token: await override(slug) };
    expect((await fixture.call('POST', `/${id}/resume-recurring`, body)).status).toBe(200);
  });

  test('one that could not begin is asked when it is taken up again', async () => {
    await configure({ blocking: 'off' });
    const slug = await template();
    const id = await campaign(slug);
    const scheduled_at = new Date(fixture.app.clock.now().getTime() + DAY).toISOString();
    await fixture.call('POST', `/${id}/schedule`, { scheduled_at });
    await fixture.put(id, 'paused');
    await configure({ blocking: 'block' });
    const refused = await fixture.call('POST', `/${id}/resume`);
    expect([refused.status, (await fixture.get(id)).body.status]).toEqual([422, 'paused']);
    expect(refused.body).toMatchObject(blocked(slug));
    const passed = await fixture.call('POST', `/${id}/resume`, { override_token: await override(slug) });
    expect([passed.status, passed.body.warnings]).toEqual([200, undefined]);
  });

  test('a version that is being saved when the campaign is sent is the one that is judged', async () => {
    await configure({ blocking: 'block' });
    const slug = await template(GOOD);
    await examined(slug);
    const id = await campaign(slug);
    const admin = new pg.Client({ connectionString: fixture.app.adminUrl });
    await admin.connect();
    await admin.query('BEGIN');
    await admin.query('UPDATE templates SET version = version + 1, body_html = $2 WHERE slug = $1', [
      slug,
      BAD,
    ]);
    let hasAnswered = false;
    const sent = fixture.call('POST', `/${id}/send`).finally(() => (hasAnswered = true));
    await until('it waits for the template', async () => {
      const { rowCount } = await admin.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return hasAnswered || rowCount !== 0;
    });
    await admin.query('COMMIT');
    await admin.end();
    // 503 if a busy machine let the wait for the lock end first.
    expect([422, 503]).toContain((await sent).status);
    expect((await fixture.get(id)).body.status).toBe('draft');
    expect((await fixture.call('POST', `/${id}/send`)).body).toMatchObject(blocked(slug));
  });

  test('every variant’s template is asked', async () => {
    await configure({ blocking: 'block' });
    const [good, bad] = [await template(GOOD), await template()];
    const { body } = await fixture.workspace.graphql(`{ template(slug: "${bad}") { id } }`);
    const variants = [{ name: 'A' }, { name: 'B', template_id: body.data.template.id }];
    const id = await campaign(good, { ab_test: { variants } });
    expect((await fixture.call('POST', `/${id}/send`)).body).toMatchObject(blocked(bad));
  });
});

test('direct sends are not asked', async () => {
  await configure({ blocking: 'block' });
  const slug = await template();
  const to = { external_id: 'somebody', email: 'somebody@example.com' };
  expect((await fixture.workspace.call('POST', '/v1/send', { template_slug: slug, to })).status).toBe(200);
});

test('only those who may write make tokens, and nobody with a key', async () => {
  const slug = await template();
  const answer = await fixture.workspace.call('POST', '/v1/inspect/override', {
    template_slug: slug,
    reason: REASON,
  });
  expect([answer.status, answer.body.reason]).toEqual([403, 'control_plane_only']);
});
