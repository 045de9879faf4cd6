/** Schedules of reports as records, sections 3.4 and 4.4: their content, their next date, and how they change. */
import { DAY, HOUR } from '../support/clock.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { reportsFixture } from '../support/reports-fixture.js';

const fixture = reportsFixture({ queues: [] });
const { call, report, graphql } = fixture;

const RECIPIENTS = [{ email: 'ada@example.com', name: 'Ada' }];
const DAILY = { frequency: 'daily', recipients: RECIPIENTS };
const now = (): string => fixture.app.clock.now().toISOString();
let id: string;

beforeEach(async () => {
  ({ id } = await report('owner'));
  // Each test begins on a Monday at nine, in a different week.
  const monday = Date.parse('2026-03-02T09:00:00Z');
  const into = (fixture.app.clock.now().getTime() - monday) % (7 * DAY);
  if (into !== 0) fixture.app.clock.wind(7 * DAY - into);
});

const create = (more: object = {}): ReturnType<typeof call> =>
  call('owner', 'POST', `/${id}/schedule`, { ...DAILY, ...more });
const change = (body: object): ReturnType<typeof call> => call('owner', 'PUT', `/${id}/schedule`, body);
const get = async (): Promise<any> => (await call('owner', 'GET', `/${id}/schedule`)).body;
/** The first moment at that hour of UTC, this many days from this Monday. */
const at = (days: number, hour: number): string =>
  new Date(
    Math.floor(fixture.app.clock.now().getTime() / DAY) * DAY + days * DAY + hour * HOUR,
  ).toISOString();
const nextCheckAt = async (): Promise<string | null> => {
  const { rows } = await fixture.admin.query<{ look_at: Date | null }>(
    'SELECT look_at FROM report_schedules WHERE report_id = $1',
    [id],
  );
  return rows[0]?.look_at?.toISOString() ?? null;
};

describe('create', () => {
  test('needs a frequency and recipients, and the rest is as usual', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      {
        report_id: id,
        frequency: 'daily',
        day_of_week: null,
        day_of_month: null,
        hour: 9,
        timezone: 'UTC',
        date_range_type: 'previous_7d',
        recipients: RECIPIENTS,
        format_options: { chart_image: false, csv_attachment: false, kpi_only: false },
        is_active: true,
        next_send_at: at(1, 9),
        last_sent_at: null,
        created_at: now(),
        updated_at: now(),
      },
    ]);
    expect(await get()).toEqual(body);
    expect(await nextCheckAt()).toBe(body.next_send_at);
    expect((await call('owner', 'GET', `/${id}`)).body.schedule).toEqual({
      ...{ frequency: 'daily', is_active: true, next_send_at: body.next_send_at },
    });
  });

  test('keeps everything that it is given', async () => {
    const given = {
      ...{ frequency: 'weekly', day_of_week: 6, hour: 23, timezone: 'Asia/Kathmandu' },
      date_range_type: 'previous_month',
      recipients: [
        { email: 'ada@example.com', name: 'Ada 🌷' },
        { email: 'Bob@Example.com', name: null },
      ],
      format_options: { chart_image: true, csv_attachment: true, kpi_only: true },
    };
    const { body } = await create(given);
    // 23:00 there is 17:15 UTC.
    expect(body).toMatchObject({ ...given, next_send_at: at(6, 17.25) });
    expect(await get()).toEqual(body);
  });

  test.each([
    [{ frequency: 'weekly' }, { day_of_week: 0, day_of_month: null, next: [7, 9] }],
    [
      { frequency: 'weekly', hour: 10 },
      { day_of_week: 0, day_of_month: null, next: [0, 10] },
    ],
    [
      { frequency: 'weekly', day_of_week: 2, day_of_month: null },
      { day_of_week: 2, day_of_month: null, next: [2, 9] },
    ],
    [
      { frequency: 'daily', day_of_week: null, hour: 0 },
      { day_of_week: null, day_of_month: null, next: [1, 0] },
    ],
  ])('%j has its day', async (more, { next, ...days }) => {
    const [day = 0, hour = 0] = next;
    expect((await create(more)).body).toMatchObject({ ...days, next_send_at: at(day, hour) });
  });

  test('a monthly one comes on the 1st where no day is given', async () => {
    const { body } = await create({ frequency: 'monthly' });
    expect(body).toMatchObject({ day_of_week: null, day_of_month: 1 });
    expect(body.next_send_at).toMatch(/-01T09:00:00.000Z$/);
    await call('owner', 'DELETE', `/${id}/schedule`);
    expect((await create({ frequency: 'monthly', day_of_month: 28 })).body.next_send_at).toMatch(
      /-28T09:00:00.000Z$/,
    );
  });

  test('there is one for a report: a second is 409, whoever asks at the same time', async () => {
    const answers = await Promise.all([create(), create({ hour: 8 }), create({ hour: 7 })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('schedule_exists');
    const kept = answers.find(({ status }) => status === 201)?.body;
    expect(await get()).toEqual(kept);
  });

  test.each([['frequency'], ['recipients']])('without its %s it is 400', async (field) => {
    const { status, body } = await create({ [field]: undefined });
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'validation_error', field]);
  });

  test.each([
    ['hourly', { frequency: 'hourly' }, 'frequency'],
    ['a day of a week that is none', { frequency: 'weekly', day_of_week: 7 }, 'day_of_week'],
    ['a day of a month that few have', { frequency: 'monthly', day_of_month: 29 }, 'day_of_month'],
    ['the day 0', { frequency: 'monthly', day_of_month: 0 }, 'day_of_month'],
    ['a day of the week, daily', { day_of_week: 1 }, 'day_of_week'],
    ['a day of the week, monthly', { frequency: 'monthly', day_of_week: 0 }, 'day_of_week'],
    ['a day of the month, daily', { day_of_month: 1 }, 'day_of_month'],
    ['a day of the month, weekly', { frequency: 'weekly', day_of_month: 1 }, 'day_of_month'],
    ['the hour 24', { hour: 24 }, 'hour'],
    ['half an hour', { hour: 9.5 }, 'hour'],
    ['an unknown zone', { timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset', { timezone: '+01:00' }, 'timezone'],
    ['an unknown range', { date_range_type: 'previous_year' }, 'date_range_type'],
    ['nobody', { recipients: [] }, 'recipients'],
    ['eleven', { recipients: Array(11).fill(RECIPIENTS[0]) }, 'recipients'],
    ['a recipient that is none', { recipients: ['ada@example.com'] }, 'recipients[0]'],
    ['a recipient without an address', { recipients: [{ name: 'Ada' }] }, 'recipients[0].email'],
    [
      'a name beyond bounds',
      { recipients: [{ email: 'a@example.com', name: 'n'.repeat(256) }] },
      'recipients[0].name',
    ],
    [
      'an unknown field of a recipient',
      { recipients: [{ email: 'a@example.com', cc: 1 }] },
      'recipients[0].cc',
    ],
    ['an option that is no flag', { format_options: { kpi_only: 1 } }, 'format_options.kpi_only'],
    ['an unknown option', { format_options: { pdf: true } }, 'format_options.pdf'],
    ['an unknown field', { minute: 30 }, 'minute'],
    ['what it is not asked', { is_active: false }, 'is_active'],
  ])('refuses %s with 422', async (_what, more, field) => {
    const { status, body } = await create(more);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([422, 'invalid_field', field]);
  });

  test.each([
    'ada',
    'ada@',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: b@example.com',
    'a@10.0.0.1',
    '',
  ])('%p is no address: 400 invalid_email', async (email) => {
    const { status, body } = await create({ recipients: [...RECIPIENTS, { email }] });
    expect([status, body.code, body.errors[0].field]).toEqual([400, 'invalid_email', 'recipients[1].email']);
  });

  test('keeps the environment in which it was made, and is seen from both', async () => {
    const inTest = { 'x-environment': 'test' };
    await call('owner', 'POST', `/${id}/schedule`, DAILY, inTest);
    expect((await change({ hour: 7 })).status).toBe(200);
    expect((await call('owner', 'GET', `/${id}/schedule`, undefined, inTest)).body.hour).toBe(7);
    const { rows } = await fixture.admin.query(
      'SELECT environment FROM report_schedules WHERE report_id = $1',
      [id],
    );
    expect(rows).toEqual([{ environment: 'test' }]);
  });
});

describe('change', () => {
  test('takes what it is given, leaves the rest, and reckons anew when it comes', async () => {
    const { body: made } = await create({ format_options: { chart_image: true } });
    fixture.app.clock.wind(1_000);
    const { status, body } = await change({
      hour: 7,
      timezone: 'America/New_York',
      format_options: { kpi_only: true },
    });
    expect([status, body]).toEqual([
      200,
      {
        ...made,
        ...{ hour: 7, timezone: 'America/New_York', updated_at: now() },
        format_options: { chart_image: false, csv_attachment: false, kpi_only: true },
        next_send_at: expect.stringMatching(/T1[12]:00:00.000Z$/),
      },
    ]);
    expect(await get()).toEqual(body);
    expect(await nextCheckAt()).toBe(body.next_send_at);
    expect(new Date(body.next_send_at).getTime()).toBeGreaterThan(fixture.app.clock.now().getTime());
    const recipients = [{ email: 'bob@example.com', name: null }];
    expect((await change({ recipients })).body).toEqual({ ...body, recipients });
  });

  test('another frequency takes the day of the one before away, and has its own', async () => {
    await create({ frequency: 'weekly', day_of_week: 4 });
    expect((await change({ hour: 8 })).body).toMatchObject({ day_of_week: 4, next_send_at: at(4, 8) });
    expect((await change({ frequency: 'monthly' })).body).toMatchObject({
      day_of_week: null,
      day_of_month: 1,
    });
    expect((await change({ day_of_month: 15 })).body).toMatchObject({ day_of_month: 15 });
    expect((await change({ frequency: 'weekly' })).body).toMatchObject({
      day_of_week: 0,
      day_of_month: null,
    });
    expect((await change({ frequency: 'daily' })).body).toMatchObject({
      day_of_week: null,
      day_of_month: null,
    });
    expect((await change({ frequency: 'weekly', day_of_week: 5 })).body).toMatchObject({ day_of_week: 5 });
  });

  test('a record may be sent back as it was read, but for what cannot be changed', async () => {
    const { body: made } = await create({ frequency: 'weekly', day_of_week: 3 });
    const {
      frequency,
      day_of_week,
      day_of_month,
      hour,
      timezone,
      date_range_type,
      recipients,
      format_options,
    } = made;
    const { body } = await change({
      ...{ frequency, day_of_week, day_of_month, hour, timezone },
      ...{ date_range_type, recipients, format_options },
    });
    expect(body).toEqual(made);
  });

  test.each([
    [{ day_of_month: 2 }, 'day_of_month'],
    [{ frequency: 'monthly', day_of_week: 2 }, 'day_of_week'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ recipients: [] }, 'recipients'],
    [{ is_active: false }, 'is_active'],
    [{ next_send_at: '2030-01-01T00:00:00Z' }, 'next_send_at'],
  ])('%j is refused with 422, and nothing changes', async (body, field) => {
    const { body: made } = await create({ frequency: 'weekly' });
    const answer = await change(body);
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([
      422,
      'invalid_field',
      field,
    ]);
    expect(await get()).toEqual(made);
  });

  test('changes nothing of the report', async () => {
    await create();
    const before = (await call('owner', 'GET', `/${id}`)).body;
    await change({ frequency: 'daily' });
    expect((await call('owner', 'GET', `/${id}`)).body).toEqual(before);
  });
});

describe('pause and resume', () => {
  test('nobody looks at one that is paused; resumed it goes on with its next date, and makes up for none', async () => {
    const { body: made } = await create();
    const paused = await call('owner', 'POST', `/${id}/schedule/pause`);
    expect([paused.status, paused.body]).toEqual([200, { ...made, is_active: false }]);
    expect(await nextCheckAt()).toBeNull();
    expect((await call('owner', 'GET', `/${id}`)).body.schedule.is_active).toBe(false);
    fixture.app.clock.wind(3 * DAY + 1_000);
    // The date shown during the pause is never in the past.
    expect((await get()).next_send_at).toBe(at(1, 9));
    const resumed = await call('owner', 'POST', `/${id}/schedule/resume`);
    expect([resumed.status, resumed.body]).toEqual([
      200,
      { ...made, next_send_at: at(1, 9), updated_at: now(), is_active: true },
    ]);
    expect(await nextCheckAt()).toBe(at(1, 9));
  });

  test('one that is paused stays so when it is changed', async () => {
    await create();
    await call('owner', 'POST', `/${id}/schedule/pause`);
    const { body } = await change({ hour: 11 });
    expect(body).toMatchObject({ is_active: false, hour: 11, next_send_at: at(0, 11) });
    expect(await nextCheckAt()).toBeNull();
  });

  test('both can be said twice', async () => {
    await create();
    for (const verb of ['pause', 'pause', 'resume', 'resume']) {
      const { status, body } = await call('owner', 'POST', `/${id}/schedule/${verb}`);
      expect([status, body.is_active]).toEqual([200, verb === 'resume']);
    }
  });
});

test('what is deleted is gone, and another may be made', async () => {
  await create();
  const removed = await call('owner', 'DELETE', `/${id}/schedule`);
  expect([removed.status, removed.body]).toEqual([204, '']);
  expect((await call('owner', 'GET', `/${id}`)).body.schedule).toBeNull();
  expect((await create({ hour: 5 })).status).toBe(201);
});

test.each([
  ['GET', ''],
  ['PUT', ''],
  ['DELETE', ''],
  ['POST', '/pause'],
  ['POST', '/resume'],
])('%s schedule%s is 404 schedule_not_found where there is none', async (method, path) => {
  const body = method === 'PUT' ? {} : undefined;
  const { status, body: said } = await call('owner', method, `/${id}/schedule${path}`, body);
  expect([status, said.code]).toEqual([404, 'schedule_not_found']);
  const unknown = await call('owner', method, `/${UNKNOWN_ID}/schedule${path}`, body);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'report_not_found']);
});

test('changes at the same time are each done', async () => {
  await create();
  await Promise.all([
    change({ hour: 5 }),
    change({ timezone: 'Europe/Berlin' }),
    change({ recipients: [{ email: 'b@example.com' }] }),
  ]);
  expect(await get()).toMatchObject({
    ...{ hour: 5, timezone: 'Europe/Berlin', recipients: [{ email: 'b@example.com', name: null }] },
  });
});

test('GraphQL does what REST does, under its own names', async () => {
  const FIELDS = `reportId frequency dayOfWeek dayOfMonth hour timezone dateRangeType recipients { email name }
    formatOptions { chartImage csvAttachment kpiOnly } isActive nextSendAt lastSentAt createdAt updatedAt`;
  const made = await graphql(
    'owner',
    `mutation ($input: CreateReportScheduleInput!) { scheduleReport(id: "${id}", input: $input) { ${FIELDS} } }`,
    {
      input: { frequency: 'weekly', dayOfWeek: 1, recipients: RECIPIENTS, formatOptions: { kpiOnly: true } },
    },
  );
  expect(made.data.scheduleReport).toEqual({
    ...{ reportId: id, frequency: 'weekly', dayOfWeek: 1, dayOfMonth: null, hour: 9, timezone: 'UTC' },
    ...{ dateRangeType: 'previous_7d', recipients: RECIPIENTS },
    formatOptions: { chartImage: false, csvAttachment: false, kpiOnly: true },
    ...{ isActive: true, nextSendAt: at(1, 9), lastSentAt: null, createdAt: now(), updatedAt: now() },
  });
  const changing = await graphql(
    'owner',
    `mutation { updateReportSchedule(id: "${id}", input: { frequency: daily }) { dayOfWeek nextSendAt } }`,
  );
  expect(changing.data.updateReportSchedule).toEqual({ dayOfWeek: null, nextSendAt: at(1, 9) });
  const pausing = await graphql('owner', `mutation { pauseReportSchedule(id: "${id}") { isActive } }`);
  expect(pausing.data.pauseReportSchedule.isActive).toBe(false);
  const resuming = await graphql('owner', `mutation { resumeReportSchedule(id: "${id}") { isActive } }`);
  expect(resuming.data.resumeReportSchedule.isActive).toBe(true);
  const wrong = await graphql(
    'owner',
    `mutation { updateReportSchedule(id: "${id}", input: { dayOfMonth: 3 }) { hour } }`,
  );
  expect(wrong.errors[0].extensions).toMatchObject({
    code: 'invalid_field',
    errors: [{ field: 'dayOfMonth' }],
  });
  const removing = await graphql('owner', `mutation { deleteReportSchedule(id: "${id}") }`);
  expect(removing.data.deleteReportSchedule).toBe(id);
  const again = await graphql('owner', `mutation { deleteReportSchedule(id: "${id}") }`);
  expect(again.errors[0].extensions.code).toBe('schedule_not_found');
});
