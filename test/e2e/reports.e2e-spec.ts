/**
 * Creating, reading, changing, listing and copying reports over HTTP, sections 2.8 and 4.4; permissions; and the same
 * through GraphQL.
 */
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { reportsFixture, type Who } from '../support/reports-fixture.js';

const fixture = reportsFixture({ queues: [] });
const { call, report, graphql, memberId } = fixture;

const TYPES = [
  ...['contact_growth', 'deliverability', 'email_performance', 'engagement', 'flow_comparison'],
  ...['flow_group_performance', 'flow_performance', 'funnel_analysis', 'plan_usage'],
];
const CONFIG = {
  data_source: 'flow_trips',
  metrics: ['entered', 'completion_rate'],
  dimensions: ['flow', 'status'],
  filters: [
    { field: 'flow', operator: 'in', value: [UNKNOWN_ID, UNKNOWN_ID] },
    { field: 'tag', operator: 'contains', value: 'spring' },
    { field: 'flow_version', operator: 'equals', value: 2 },
  ],
  chart_type: 'bar',
  comparison_enabled: true,
  date_range_default: '7d',
};
const USUAL = {
  data_source: 'email_logs',
  metrics: [],
  dimensions: [],
  filters: [],
  chart_type: 'line',
  comparison_enabled: false,
  date_range_default: '30d',
};
const SCHEDULE = { frequency: 'daily', recipients: [{ email: 'ada@example.com' }] };
type Change = readonly [what: string, method: string, path: string, body: object | undefined];
/** Every call on a report that only some callers may make. */
const CHANGES: readonly Change[] = [
  ['change', 'PUT', '', { name: 'Mine' }],
  ['share', 'POST', '/share', {}],
  ['revoke', 'DELETE', '/share', undefined],
  ['schedule', 'POST', '/schedule', SCHEDULE],
  ['change the schedule of', 'PUT', '/schedule', { hour: 7 }],
  ['pause', 'POST', '/schedule/pause', undefined],
  ['resume', 'POST', '/schedule/resume', undefined],
  ['delete the schedule of', 'DELETE', '/schedule', undefined],
  ['delete', 'DELETE', '', undefined],
];

const now = (): string => fixture.app.clock.now().toISOString();
const names = (body: any): string[] => body.reports.map(({ name }: { name: string }) => name);
/** Without the templates. */
const own = (body: any): string[] =>
  body.reports.flatMap((each: any) => (each.is_template ? [] : [each.name as string]));
const template = async (who: Who = 'owner', type = 'engagement'): Promise<any> =>
  (await call(who, 'GET', `?report_type=${type}`)).body.reports[0];

describe('create', () => {
  test('needs a name and nothing else: 201 with a private report of which all is as usual', async () => {
    const { status, body } = await call('marketing', 'POST', '', { name: 'Numbers' });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Numbers',
        description: null,
        report_type: 'custom',
        visibility: 'private',
        config: USUAL,
        is_template: false,
        created_by: await memberId('marketing'),
        version: 1,
        last_viewed_at: null,
        share: null,
        schedule: null,
        created_at: now(),
        updated_at: now(),
      },
    ]);
  });

  test('keeps everything that it is given', async () => {
    const given = {
      name: 'Numbers "of" spring 🌷',
      description: 'For everybody',
      report_type: 'flow_performance',
      visibility: 'workspace',
      config: CONFIG,
    };
    const made = await report('owner', given);
    expect(made).toMatchObject(given);
    expect((await call('viewer', 'GET', `/${made.id}`)).body).toEqual({ ...made, last_viewed_at: now() });
  });

  test('of a config it keeps what is said, and the rest is as usual', async () => {
    const made = await report('owner', { config: { metrics: ['sent'], chart_type: 'pie' } });
    expect(made.config).toEqual({ ...USUAL, metrics: ['sent'], chart_type: 'pie' });
  });

  test('without a name it is 400', async () => {
    const { status, body } = await call('owner', 'POST', '', { description: 'Nameless' });
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'validation_error', 'name']);
  });

  const of = (more: object): object => ({ config: { ...CONFIG, ...more } });
  const where = (filter: object): object =>
    of({ filters: [{ field: 'flow', operator: 'equals', value: 'x', ...filter }] });
  test.each([
    ['an empty name', { name: '' }, 'name'],
    ['a name that nobody sees', { name: ' \t' }, 'name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name'],
    ['no name by null', { name: null }, 'name'],
    ['a description beyond bounds', { description: 'd'.repeat(2_001) }, 'description'],
    ['a type that is none', { report_type: 'weather' }, 'report_type'],
    ['a visibility that is none', { visibility: 'public' }, 'visibility'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a creator', { created_by: UNKNOWN_ID }, 'created_by'],
    ['a config that is none', { config: 'sent' }, 'config'],
    ['no config by null', { config: null }, 'config'],
    ['an unknown field of a config', of({ colour: 'red' }), 'config.colour'],
    ['an unknown source', of({ data_source: 'weather' }), 'config.data_source'],
    ['a metric that is no text', of({ metrics: [7] }), 'config.metrics'],
    ['a metric without a name', of({ metrics: [''] }), 'config.metrics'],
    ['a metric with a name beyond bounds', of({ metrics: ['m'.repeat(65)] }), 'config.metrics'],
    ['21 metrics', of({ metrics: Array.from({ length: 21 }, (_, n) => `m${n}`) }), 'config.metrics'],
    ['a metric twice', of({ metrics: ['entered', 'completed', 'entered'] }), 'config.metrics[2]'],
    ['six dimensions', of({ dimensions: [...'abcdef'] }), 'config.dimensions'],
    ['a dimension twice', of({ dimensions: ['flow', 'flow'] }), 'config.dimensions[1]'],
    ['21 filters', of({ filters: Array(21).fill(CONFIG.filters[1]) }), 'config.filters'],
    ['a filter that is none', of({ filters: ['flow'] }), 'config.filters[0]'],
    ['a filter without a field', where({ field: undefined }), 'config.filters[0].field'],
    ['an unknown operator', where({ operator: 'sounds_like' }), 'config.filters[0].operator'],
    ['a filter without a value', where({ value: undefined }), 'config.filters[0].value'],
    ['no value by null', where({ value: null }), 'config.filters[0].value'],
    ['a value that is an object', where({ value: { id: 1 } }), 'config.filters[0].value'],
    ['a value beyond bounds', where({ value: 'v'.repeat(256) }), 'config.filters[0].value'],
    ['a value that cannot be stored', where({ value: 'a\u0000' }), 'config.filters[0].value'],
    ['one value for in', where({ operator: 'in', value: 'x' }), 'config.filters[0].value'],
    ['no values for in', where({ operator: 'in', value: [] }), 'config.filters[0].value'],
    ['101 values for in', where({ operator: 'in', value: Array(101).fill('x') }), 'config.filters[0].value'],
    ['a list in a list', where({ operator: 'in', value: [['x']] }), 'config.filters[0].value'],
    ['a list for equals', where({ value: ['x'] }), 'config.filters[0].value'],
    ['a number for contains', where({ operator: 'contains', value: 1 }), 'config.filters[0].value'],
    ['a chart that is none', of({ chart_type: 'radar' }), 'config.chart_type'],
    ['a comparison that is no flag', of({ comparison_enabled: 'yes' }), 'config.comparison_enabled'],
    ['a preset that is none', of({ date_range_default: '14d' }), 'config.date_range_default'],
  ])('refuses %s with 422 and names the field', async (_name, more, field) => {
    const { status, body } = await call('owner', 'POST', '', { name: 'Numbers', ...more });
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([422, 'invalid_field', field]);
  });

  test('a workspace that is full of reports takes no more, whoever asks at the same time', async () => {
    const fill = `INSERT INTO reports (workspace_id, id, name, report_type, visibility, config, created_at, updated_at)
      SELECT $1, gen_random_uuid(), 'R', 'custom', 'workspace', '{}', now(), now() FROM generate_series(1, 998)`;
    await template();
    const { id } = await report('owner');
    await fixture.admin.query(fill, [fixture.id]);
    const answers = await Promise.all([
      call('owner', 'POST', '', { name: 'A' }),
      call('admin', 'POST', '', { name: 'B' }),
      call('viewer', 'POST', `/${(await template()).id}/duplicate`),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.errors[0].message).toContain('1000 reports');
    await call('owner', 'DELETE', `/${id}`);
    await report('owner');
  });
});

describe('read and change', () => {
  test('reading notes when, and changes nothing else', async () => {
    const made = await report('owner');
    fixture.app.clock.wind(1_000);
    expect((await call('owner', 'GET', `/${made.id}`)).body).toEqual({ ...made, last_viewed_at: now() });
    fixture.app.clock.wind(1_000);
    expect((await call('owner', 'GET', `/${made.id.toUpperCase()}`)).body.last_viewed_at).toBe(now());
  });

  test('a change takes what it is given, leaves the rest, and is the next version', async () => {
    const made = await report('owner', { description: 'Old', config: CONFIG });
    fixture.app.clock.wind(1_000);
    const { status, body } = await call('owner', 'PUT', `/${made.id}`, { name: 'New', description: null });
    expect([status, body]).toEqual([
      200,
      { ...made, name: 'New', description: null, version: 2, updated_at: now() },
    ]);
    const { body: next } = await call('owner', 'PUT', `/${made.id}`, {
      ...{ report_type: 'engagement', visibility: 'workspace' },
      config: { metrics: ['sent'] },
    });
    expect(next).toMatchObject({ report_type: 'engagement', visibility: 'workspace', version: 3 });
    expect(next.config).toEqual({ ...USUAL, metrics: ['sent'] });
    expect((await call('owner', 'PUT', `/${made.id}`, {})).body.version).toBe(4);
  });

  test('a change is refused what making one is, and changes nothing', async () => {
    const made = await report('owner');
    for (const more of [
      { name: null },
      { config: { metrics: ['a', 'a'] } },
      { is_template: true },
      { version: 9 },
    ])
      expect((await call('owner', 'PUT', `/${made.id}`, more)).body.code).toBe('invalid_field');
    expect((await call('owner', 'GET', `/${made.id}`)).body).toMatchObject({ version: 1, name: made.name });
  });

  test('changes at the same time are each a version', async () => {
    const { id } = await report('owner');
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => call('owner', 'PUT', `/${id}`, { name })));
    expect((await call('owner', 'GET', `/${id}`)).body.version).toBe(5);
  });

  test('what is deleted is gone, with its link and its schedule', async () => {
    const { id } = await report('owner');
    await call('owner', 'POST', `/${id}/share`, {});
    await call('owner', 'POST', `/${id}/schedule`, SCHEDULE);
    expect((await call('owner', 'DELETE', `/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/schedule'],
    ] as const)
      expect((await call('owner', method, `/${id}${path}`)).body.code).toBe('report_not_found');
    const { rows } = await fixture.admin.query(
      'SELECT report_id FROM report_shares WHERE report_id = $1 UNION ALL SELECT report_id FROM report_schedules WHERE report_id = $1',
      [id],
    );
    expect(rows).toEqual([]);
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s of what is not there is 404', async (method) => {
    for (const id of [UNKNOWN_ID, 'numbers']) {
      const { status, body } = await call('owner', method, `/${id}`, method === 'PUT' ? {} : undefined);
      expect([status, body.code]).toEqual([404, 'report_not_found']);
    }
  });
});

describe('duplicate', () => {
  test('makes a private report of the caller’s, without link, schedule and views', async () => {
    const given = {
      description: 'For all',
      report_type: 'engagement',
      visibility: 'workspace',
      config: CONFIG,
    };
    const made = await report('owner', given);
    await call('owner', 'PUT', `/${made.id}`, {});
    await call('owner', 'POST', `/${made.id}/share`, {});
    await call('owner', 'POST', `/${made.id}/schedule`, SCHEDULE);
    await call('owner', 'GET', `/${made.id}`);
    fixture.app.clock.wind(1_000);
    const { status, body } = await call('viewer', 'POST', `/${made.id}/duplicate`);
    expect([status, body]).toEqual([
      201,
      {
        ...made,
        ...{ id: expect.not.stringMatching(made.id), name: 'Numbers (Copy)', visibility: 'private' },
        created_by: await memberId('viewer'),
        ...{ created_at: now(), updated_at: now() },
      },
    ]);
  });

  test.each([
    ['n'.repeat(248), `${'n'.repeat(248)} (Copy)`],
    ['n'.repeat(249), `${'n'.repeat(248)} (Copy)`],
    ['🌷'.repeat(255), `${'🌷'.repeat(248)} (Copy)`],
  ])('a name of %p leaves room for what tells the copy', async (name, copied) => {
    const { id } = await report('owner', { name });
    expect((await call('owner', 'POST', `/${id}/duplicate`)).body.name).toBe(copied);
  });

  test('of a template it makes a report that can be changed', async () => {
    const { id, config } = await template('viewer');
    const { body } = await call('viewer', 'POST', `/${id}/duplicate`);
    expect(body).toMatchObject({
      is_template: false,
      name: 'Engagement (Copy)',
      report_type: 'engagement',
      config,
    });
    expect((await call('viewer', 'PUT', `/${body.id}`, { name: 'Mine' })).status).toBe(200);
  });
});

describe('template reports', () => {
  test('are there from the first list on: one of each type but custom, once however many ask at the same time', async () => {
    const lists = await Promise.all(
      (['owner', 'viewer', 'key reporting', 'test key', 'owner', 'marketing'] as const).map((who) =>
        call(who, 'GET', ''),
      ),
    );
    for (const { status, body } of lists) {
      expect([status, body.total]).toEqual([200, 9]);
      expect(body.reports.map((each: any) => each.report_type).toSorted()).toEqual(TYPES);
    }
    const { rows } = await fixture.admin.query(
      `SELECT DISTINCT is_template, visibility, created_by FROM reports WHERE workspace_id = $1`,
      [fixture.id],
    );
    expect(rows).toEqual([{ is_template: true, visibility: 'workspace', created_by: null }]);
    expect((await call('owner', 'GET', '')).body.total).toBe(9);
  });

  test('have a name, a description and something to show', async () => {
    for (const each of (await call('viewer', 'GET', '')).body.reports) {
      expect(each).toMatchObject({ is_template: true, version: 1, share: null, schedule: null });
      expect([each.name, each.description, each.config.metrics[0]]).toEqual(
        Array(3).fill(expect.stringMatching(/./)),
      );
    }
  });

  test.each(CHANGES)('nobody may %s them: 400', async (_what, method, path, body) => {
    const { id } = await template();
    for (const who of ['owner', 'viewer', 'key full'] as const) {
      const answer = await call(who, method, `/${id}${path}`, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'template_report_read_only']);
    }
  });

  test('are viewed as all others', async () => {
    const { id } = await template();
    expect((await call('viewer', 'GET', `/${id}`)).body.last_viewed_at).toBe(now());
  });
});

describe('list', () => {
  test('shows a page, and how many there are', async () => {
    for (const name of ['A', 'B', 'C']) await report('owner', { name });
    const { body } = await call(
      'owner',
      'GET',
      '?limit=2&offset=1&sort_by=name&sort_dir=asc&report_type=custom',
    );
    expect([names(body), body.total, body.limit, body.offset]).toEqual([['B', 'C'], 3, 2, 1]);
    const all = (await call('owner', 'GET', '')).body;
    expect([all.total, all.limit, all.offset]).toEqual([12, 50, 0]);
    expect(Object.keys(all).toSorted()).toEqual(['limit', 'offset', 'reports', 'total']);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'tab=yours',
    'report_type=weather',
    'visibility=public',
    'sort_by=colour',
    'sort_dir=up',
    'colour=red',
    `search=${'s'.repeat(256)}`,
  ])('refuses %s with 422 and names it', async (query) => {
    const { status, body } = await call('owner', 'GET', `?${query}`);
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'invalid_field', query.split('=')[0]]);
  });

  test('tabs: what one has made, what has a link, what has a schedule', async () => {
    const shared = await report('admin', { name: 'Shared', visibility: 'workspace' });
    await call('admin', 'POST', `/${shared.id}/share`, {});
    const scheduled = await report('owner', { name: 'Scheduled' });
    await call('owner', 'POST', `/${scheduled.id}/schedule`, SCHEDULE);
    await call('owner', 'POST', `/${scheduled.id}/schedule/pause`);
    await report('key full', { name: 'Of a key', visibility: 'workspace' });
    const of = async (who: Who, tab: string): Promise<string[]> =>
      names((await call(who, 'GET', `?tab=${tab}&sort_by=name&sort_dir=asc`)).body);
    expect(await of('owner', 'mine')).toEqual(['Scheduled']);
    expect(await of('admin', 'mine')).toEqual(['Shared']);
    expect(await of('viewer', 'mine')).toEqual([]);
    expect(await of('key reporting', 'mine')).toEqual(['Of a key']);
    expect(await of('owner', 'shared')).toEqual(['Shared']);
    expect(await of('owner', 'scheduled')).toEqual(['Scheduled']);
    expect(await of('viewer', 'scheduled')).toEqual([]);
    expect(await of('viewer', 'all')).toHaveLength(11);
  });

  test('type, visibility and maker', async () => {
    await report('owner', { name: 'Engaging', report_type: 'engagement' });
    await report('admin', { name: 'For all', visibility: 'workspace' });
    await report('owner', { name: 'For all, too', visibility: 'workspace' });
    const of = async (query: string): Promise<string[]> =>
      own((await call('owner', 'GET', `?${query}`)).body);
    expect(await of('report_type=engagement')).toEqual(['Engaging']);
    expect(await of('visibility=private')).toEqual(['Engaging']);
    expect((await of('visibility=workspace')).toSorted()).toEqual(['For all', 'For all, too']);
    expect(await of(`created_by=${await memberId('admin')}`)).toEqual(['For all']);
    expect(await of(`created_by=${await memberId('owner')}&visibility=workspace`)).toEqual(['For all, too']);
    expect(await of(`created_by=${UNKNOWN_ID}`)).toEqual([]);
    expect(await of('created_by=nobody')).toEqual([]);
  });

  test.each([
    ['numb', ['Numbers 50%']],
    ['NUMBERS', ['Numbers 50%']],
    ['50%', ['Numbers 50%']],
    ['5%0', []],
    ['%', ['Numbers 50%', 'Under_score']],
    ['_', ['Under_score']],
    ['weeks %', ['Under_score']],
    ['\\', ['Back\\slash']],
  ])('search %p is literal, in names and descriptions', async (search, found) => {
    await report('owner', { name: 'Numbers 50%' });
    await report('owner', { name: 'Under_score', description: 'Of WEEKS %' });
    await report('owner', { name: 'Back\\slash' });
    const { body } = await call(
      'owner',
      'GET',
      `?sort_by=name&sort_dir=asc&search=${encodeURIComponent(search)}`,
    );
    expect([own(body).toSorted(), body.total]).toEqual([[...found].toSorted(), body.reports.length]);
  });

  test('orders, and what was never viewed comes behind what was', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['b', 'C', 'a', 'd']) {
      ids[name] = (await report('owner', { name })).id;
      fixture.app.clock.wind(1_000);
    }
    for (const name of ['a', 'C']) {
      await call('owner', 'GET', `/${ids[name]}`);
      fixture.app.clock.wind(1_000);
    }
    await call('owner', 'PUT', `/${ids['b']}`, { description: 'Changed' });
    const of = async (query: string): Promise<string> =>
      names((await call('owner', 'GET', `?report_type=custom${query}`)).body).join('');
    expect(await of('')).toBe('Cadb');
    expect(await of('&sort_dir=asc')).toBe('bdaC');
    expect(await of('&sort_by=name&sort_dir=asc')).toBe('abCd');
    expect(await of('&sort_by=name')).toBe('dCba');
    expect(await of('&sort_by=created_at')).toBe('daCb');
    expect(await of('&sort_by=created_at&sort_dir=asc')).toBe('bCad');
    expect(await of('&sort_by=updated_at')).toBe('bdaC');
  });

  test('equals stand by their ids, so that pages hold each once', async () => {
    for (let n = 0; n < 6; n++) await report('owner', { name: 'Same' });
    for (const sort of ['name', 'created_at', 'updated_at', 'last_viewed_at']) {
      const pages = [];
      for (let offset = 0; offset < 15; offset += 4)
        pages.push(...(await call('owner', 'GET', `?sort_by=${sort}&limit=4&offset=${offset}`)).body.reports);
      expect(new Set(pages.map(({ id }) => id)).size).toBe(15);
    }
  });
});

describe('who may', () => {
  test('see a private report: its maker alone; others, the owner too, hear that there is none', async () => {
    const { id } = await report('marketing', { name: 'Secret' });
    await call('marketing', 'POST', `/${id}/share`, {});
    await call('marketing', 'POST', `/${id}/schedule`, SCHEDULE);
    for (const who of ['owner', 'admin', 'viewer', 'key full'] as const) {
      for (const [, method, path, body] of [
        ...CHANGES,
        ['', 'GET', '', undefined],
        ['', 'GET', '/schedule', undefined],
        ['', 'POST', '/duplicate', undefined],
      ] as const) {
        const answer = await call(who, method, `/${id}${path}`, body);
        expect([answer.status, answer.body.code]).toEqual([404, 'report_not_found']);
      }
      const { body } = await call(who, 'GET', '?search=secret');
      expect([names(body), body.total]).toEqual([[], 0]);
    }
    expect(names((await call('marketing', 'GET', '?search=secret')).body)).toEqual(['Secret']);
    expect((await call('marketing', 'GET', `/${id}`)).body.share).not.toBeNull();
  });

  test.each(CHANGES)(
    '%s a report of the workspace: its maker, the owner and admins',
    async (_what, method, path, body) => {
      for (const who of ['marketing', 'owner', 'admin'] as const) {
        const { id } = await report('marketing', { visibility: 'workspace' });
        if (method !== 'POST' || path.endsWith('e')) await call('marketing', 'POST', `/${id}/share`, {});
        if (!(method === 'POST' && path === '/schedule'))
          await call('marketing', 'POST', `/${id}/schedule`, SCHEDULE);
        for (const other of ['viewer', 'operations'] as const) {
          const refused = await call(other, method, `/${id}${path}`, body);
          expect([refused.status, refused.body]).toEqual([
            403,
            expect.objectContaining({
              ...{ error: 'forbidden', reason: 'insufficient_role', your_role: other },
              required_roles: ['owner', 'admin'],
            }),
          ]);
        }
        const refused = await call('key full', method, `/${id}${path}`, body);
        expect([refused.status, refused.body.reason, refused.body.your_role]).toEqual([
          403,
          'insufficient_role',
          null,
        ]);
        expect([200, 201, 204]).toContain((await call(who, method, `/${id}${path}`, body)).status);
      }
    },
  );

  test('see and copy a report of the workspace: everybody who reads analytics, and its schedule', async () => {
    const { id } = await report('marketing', { visibility: 'workspace' });
    await call('marketing', 'POST', `/${id}/schedule`, SCHEDULE);
    for (const who of ['viewer', 'operations', 'owner', 'key reporting', 'test key'] as const) {
      expect((await call(who, 'GET', `/${id}`)).status).toBe(200);
      expect((await call(who, 'GET', `/${id}/schedule`)).status).toBe(200);
      expect((await call(who, 'POST', `/${id}/duplicate`)).status).toBe(201);
    }
  });

  test('keep it to itself again: then it is its maker’s', async () => {
    const { id } = await report('marketing', { visibility: 'workspace' });
    expect((await call('admin', 'PUT', `/${id}`, { visibility: 'private' })).status).toBe(200);
    expect((await call('admin', 'GET', `/${id}`)).status).toBe(404);
    expect((await call('marketing', 'GET', `/${id}`)).status).toBe(200);
  });

  test('keys share what keys have made, and members see none of it but what is the workspace’s', async () => {
    const secret = await report('key full', { name: 'Of keys' });
    const open = await report('key reporting', { name: 'Of keys, for all', visibility: 'workspace' });
    expect([secret.created_by, open.created_by]).toEqual([null, null]);
    for (const who of ['key reporting', 'test key'] as const) {
      expect((await call(who, 'GET', `/${secret.id}`)).status).toBe(200);
      expect((await call(who, 'PUT', `/${secret.id}`, {})).status).toBe(200);
      expect((await call(who, 'PUT', `/${open.id}`, {})).status).toBe(200);
      expect(own((await call(who, 'GET', '')).body)).toHaveLength(2);
    }
    for (const who of ['owner', 'viewer'] as const) {
      expect((await call(who, 'GET', `/${secret.id}`)).status).toBe(404);
      expect(own((await call(who, 'GET', '')).body)).toEqual(['Of keys, for all']);
    }
    expect((await call('viewer', 'PUT', `/${open.id}`, {})).body.reason).toBe('insufficient_role');
    expect((await call('admin', 'PUT', `/${open.id}`, {})).status).toBe(200);
  });

  test('without analytics:read nothing is open, whatever the method', async () => {
    const { id } = await report('owner', { visibility: 'workspace' });
    for (const [who, reason] of [
      ['developer', 'missing_permission'],
      ['key data', 'insufficient_scope'],
      ['key management', 'insufficient_scope'],
    ] as const)
      for (const [, method, path, body] of [
        ...CHANGES,
        ['', 'GET', '', undefined],
        ['', 'POST', '/duplicate', undefined],
      ] as const) {
        const answer = await call(who, method, `/${id}${path}`, body);
        expect([answer.status, answer.body.reason]).toEqual([403, reason]);
      }
  });

  test('another workspace has reports of its own, and sees none of these', async () => {
    const { id } = await report('owner', { name: 'Here', visibility: 'workspace' });
    const back = await fixture.move();
    for (const [, method, path, body] of [
      ...CHANGES,
      ['', 'GET', '', undefined],
      ['', 'POST', '/duplicate', undefined],
    ] as const)
      expect((await call('owner', method, `/${id}${path}`, body)).body.code).toBe('report_not_found');
    expect((await call('owner', 'GET', '?search=Here')).body.total).toBe(0);
    const theirs = (await call('owner', 'GET', '')).body.reports.map((each: any) => each.id);
    back();
    const ours = (await call('owner', 'GET', '')).body.reports.map((each: any) => each.id);
    expect([theirs.length, ours.length]).toEqual([9, 10]);
    expect(new Set([...theirs, ...ours]).size).toBe(19);
  });

  test('both environments have the same reports', async () => {
    const { id } = await report('owner', { name: 'Both', visibility: 'workspace' });
    const test = { 'x-environment': 'test' };
    expect((await call('owner', 'GET', `/${id}`, undefined, test)).body.name).toBe('Both');
    expect((await call('test key', 'GET', `/${id}`)).body.name).toBe('Both');
    expect((await call('owner', 'PUT', `/${id}`, { name: 'Changed' }, test)).status).toBe(200);
    expect((await call('owner', 'GET', `/${id}`)).body.name).toBe('Changed');
  });

  test('a suspended workspace is read, its templates too, and changes nothing', async () => {
    const { id } = await report('owner');
    await call('owner', 'POST', `/${id}/schedule`, SCHEDULE);
    await fixture.admin.query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [fixture.id]);
    expect((await call('owner', 'GET', '')).body.total).toBe(10);
    expect((await call('owner', 'GET', `/${id}`)).body.last_viewed_at).toBe(now());
    expect((await call('owner', 'GET', `/${id}/schedule`)).status).toBe(200);
    for (const who of ['owner', 'key full'] as const) {
      const creating = await call(who, 'POST', '', { name: 'New' });
      expect([creating.status, creating.body.code]).toEqual([403, 'workspace_suspended']);
      for (const [, method, path, body] of [...CHANGES, ['', 'POST', '/duplicate', undefined]] as const)
        expect((await call(who, method, `/${id}${path}`, body)).body.code).toBe('workspace_suspended');
    }
  });
});

describe('GraphQL', () => {
  const FIELDS = `id name description reportType visibility isTemplate createdBy version lastViewedAt
    config { dataSource metrics dimensions filters { field operator value } chartType comparisonEnabled dateRangeDefault }
    share { expiresAt createdAt } schedule { reportId frequency hour recipients { email name } } createdAt updatedAt`;

  test('makes, shows, changes, copies and deletes what REST does', async () => {
    const create = `mutation ($input: CreateReportInput!) { createReport(input: $input) { ${FIELDS} } }`;
    const config = {
      dataSource: 'flow_trips',
      metrics: ['entered'],
      filters: CONFIG.filters,
      comparisonEnabled: true,
    };
    const made = await graphql('marketing', create, {
      input: { name: 'Numbers', visibility: 'workspace', config },
    });
    const { id } = made.data.createReport;
    expect(made.data.createReport).toEqual({
      id,
      ...{ name: 'Numbers', description: null, reportType: 'custom', visibility: 'workspace' },
      ...{ isTemplate: false, createdBy: await memberId('marketing'), version: 1, lastViewedAt: null },
      config: { ...config, dimensions: [], chartType: 'line', dateRangeDefault: '30d' },
      ...{ share: null, schedule: null, createdAt: now(), updatedAt: now() },
    });
    await call('marketing', 'POST', `/${id}/schedule`, SCHEDULE);
    const shown = await graphql('viewer', `{ report(id: "${id}") { ${FIELDS} } }`);
    expect(shown.data.report).toEqual({
      ...made.data.createReport,
      lastViewedAt: now(),
      schedule: {
        reportId: id,
        frequency: 'daily',
        hour: 9,
        recipients: [{ email: 'ada@example.com', name: null }],
      },
    });
    const change = `mutation { updateReport(id: "${id}", input: { name: "New" }) { name version } }`;
    expect((await graphql('owner', change)).data.updateReport).toEqual({ name: 'New', version: 2 });
    const copy = `mutation { duplicateReport(id: "${id}") { name visibility } }`;
    expect((await graphql('viewer', copy)).data.duplicateReport).toEqual({
      ...{ name: 'New (Copy)', visibility: 'private' },
    });
    const remove = `mutation { deleteReport(id: "${id}") }`;
    expect((await graphql('owner', remove)).data.deleteReport).toBe(id);
    const gone = await graphql('owner', `{ report(id: "${id}") { id } }`);
    expect(gone.errors[0].extensions.code).toBe('report_not_found');
  });

  test('says what is wrong under its own names, and refuses whom REST refuses', async () => {
    const { id } = await report('owner', { visibility: 'workspace' });
    const wrong = await graphql(
      'owner',
      `
        mutation {
          createReport(input: { name: "", config: { dateRangeDefault: "14d" } }) {
            id
          }
        }
      `,
    );
    expect(wrong.errors[0].extensions.errors.map(({ field }: any) => field)).toEqual([
      'config.dateRangeDefault',
      'name',
    ]);
    const refused = await graphql('viewer', `mutation { deleteReport(id: "${id}") }`);
    expect(refused.errors[0].extensions).toMatchObject({ code: 'insufficient_role', your_role: 'viewer' });
  });

  test.each(['lastViewedAt', 'updatedAt', 'name', 'createdAt'])(
    'pages by %s hold each report once, in the order of REST',
    async (sortBy) => {
      for (const name of ['b', 'A', 'b', 'c', 'A']) {
        const { id } = await report('owner', { name });
        if (name === 'b') await call('owner', 'GET', `/${id}`);
      }
      const written = sortBy.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      for (const dir of ['asc', 'desc']) {
        const ids: string[] = [];
        for (let after = '', more = true; more;) {
          const place = after === '' ? '' : `, after: "${after}"`;
          const { data } = await graphql(
            'owner',
            `{ reports(first: 3, sortBy: ${sortBy}, sortDir: ${dir}${place}) {
                totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`,
          );
          ids.push(...data.reports.edges.map(({ node }: any) => node.id));
          expect(data.reports.totalCount).toBe(14);
          ({ hasNextPage: more, endCursor: after } = data.reports.pageInfo);
        }
        const { body } = await call('owner', 'GET', `?sort_by=${written}&sort_dir=${dir}`);
        expect(ids).toEqual(body.reports.map((each: any) => each.id));
      }
    },
  );

  test('filters as REST does, and makes the templates', async () => {
    await report('owner', { name: 'Mine' });
    const { data } = await graphql(
      'owner',
      '{ all: reports { totalCount } mine: reports(filter: { tab: mine }) { totalCount } }',
    );
    expect([data.all.totalCount, data.mine.totalCount]).toEqual([10, 1]);
    const of = await graphql(
      'owner',
      '{ reports(filter: { search: "mine", reportType: custom, visibility: private }) { totalCount } }',
    );
    expect(of.data.reports.totalCount).toBe(1);
    const none = await graphql('owner', '{ reports(filter: { search: "\\u0000" }) { totalCount } }');
    expect(none.data.reports.totalCount).toBe(0);
    const wrong = await graphql('owner', '{ reports(after: "x") { totalCount } }');
    expect(wrong.errors[0].extensions.errors[0].field).toBe('after');
  });
});
