/** When a campaign had best be sent, over HTTP, section 4.5: counted from what the ledger knows of opens and clicks. */
import { DAY } from '../support/clock.js';
import type { Answer } from '../support/app.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { UNKNOWN_ID } from '../support/flows-fixture.js';
import { uuidv7 } from '../../src/kernel/uuid.js';

const fixture = campaignsFixture({ queues: [] });
const { call, campaign, segment } = fixture;

const ask = (id: string, headers = {}): Promise<Answer> =>
  call('GET', `/${id}/best-send-time`, undefined, headers);

/** A contact, and how it is called. */
async function contact(externalId: string, more: object = {}): Promise<string> {
  const { body } = await fixture.workspace.call('POST', '/v1/contacts', { external_id: externalId, ...more });
  return body.id as string;
}

interface Read {
  readonly contactId: string;
  readonly openedAt?: Date;
  readonly clickedAt?: Date;
  readonly madeAt?: Date;
  readonly environment?: string;
  readonly machineOpens?: number;
}

/** Messages that went out, and what is known of them. */
async function told(reads: readonly Read[]): Promise<void> {
  for (const { contactId, openedAt, clickedAt, madeAt, environment = 'live', machineOpens = 0 } of reads) {
    const at = madeAt ?? new Date((openedAt ?? clickedAt ?? fixture.app.clock.now()).getTime() - 60_000);
    await fixture.admin.query(
      `INSERT INTO email_logs (workspace_id, id, environment, origin, origin_id, origin_step, contact_id, template_slug,
         content_type, priority, status, message_id, next_attempt_at, created_at, updated_at, sent_at, opened_at, clicked_at,
         machine_opens)
       VALUES ($1, $2, $3, 'request', gen_random_uuid(), 0, $4, 't', 'promotional', 1, 'sent', 'm', $5, $5, $5, $5, $6, $7, $8)`,
      [
        fixture.workspace.id,
        idOf(at),
        environment,
        contactId,
        at,
        openedAt ?? null,
        clickedAt ?? null,
        machineOpens,
      ],
    );
  }
}

/** An id made at a moment; those of one process grow whatever the time. */
function idOf(at: Date): string {
  const prefix = at.getTime().toString(16).padStart(12, '0');
  return `${prefix.slice(0, 8)}-${prefix.slice(8)}${uuidv7(0).slice(13)}`;
}

const ago = (days: number): Date => new Date(fixture.app.clock.now().getTime() - days * DAY);
/** The latest moment before now that clocks in UTC show so. */
function last(dayOfWeek: number, hour: number): Date {
  const at = fixture.app.clock.now();
  at.setUTCHours(hour, 5, 0, 0);
  do at.setUTCDate(at.getUTCDate() - 1);
  while ((at.getUTCDay() + 6) % 7 !== dayOfWeek);
  return at;
}
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

test('recommends the hour in which people of the segment open and click most', async () => {
  const ada = await contact('ada', { tags: ['in'] });
  const bob = await contact('bob', { tags: ['in'] });
  const eve = await contact('eve');
  const [tuesday, friday] = [last(1, 9), last(4, 16)];
  await told([
    ...times(30, { contactId: ada, openedAt: tuesday }),
    ...times(15, { contactId: bob, openedAt: tuesday, clickedAt: friday }),
    ...times(5, { contactId: bob, openedAt: friday }),
    // Neither others nor machines nor what is long ago counts, nor the other environment.
    ...times(99, { contactId: eve, openedAt: last(6, 3) }),
    ...times(99, { contactId: ada, machineOpens: 1 }),
    ...times(9, { contactId: ada, openedAt: ago(91), madeAt: ago(92) }),
    ...times(9, { contactId: ada, openedAt: last(6, 4), environment: 'test' }),
  ]);
  const inside = await segment([{ field: 'tags', operator: 'has_any', value: ['in'] }]);
  const { id } = await campaign({ segment_id: inside });
  const { status, body } = await ask(id);
  expect([status, body]).toEqual([
    200,
    {
      recommended_at: expect.stringMatching(/T09:00:00\.000Z$/),
      day_of_week: 1,
      hour: 9,
      timezone: 'UTC',
      confidence: 'low',
      based_on: { opens: 50, clicks: 15, contacts: 2, days: 90 },
      histogram: [
        { day_of_week: 1, hour: 9, opens: 45, clicks: 0 },
        { day_of_week: 4, hour: 16, opens: 5, clicks: 15 },
      ],
    },
  ]);
  const recommended = new Date(body.recommended_at);
  expect(recommended.getUTCDay()).toBe(2);
  expect(recommended.getTime() - fixture.app.clock.now().getTime()).toBeGreaterThan(0);
  expect(recommended.getTime() - fixture.app.clock.now().getTime()).toBeLessThanOrEqual(7 * DAY);

  const { body: asked } = await fixture.workspace.graphql(
    `{ campaignBestSendTime(id: "${id}") { recommendedAt dayOfWeek hour confidence basedOn { contacts }
       histogram { dayOfWeek hour opens clicks } } }`,
  );
  expect(asked.data.campaignBestSendTime).toMatchObject({
    recommendedAt: body.recommended_at,
    dayOfWeek: 1,
    hour: 9,
    basedOn: { contacts: 2 },
    histogram: [{ opens: 45 }, { clicks: 15 }],
  });
});

test("hours are those of the workspace's clocks", async () => {
  fixture.workspace = await fixture.app.workspace({ settings: { timezone: 'Pacific/Auckland' } });
  const ada = await contact('ada');
  await told(times(50, { contactId: ada, openedAt: last(1, 23) }));
  const { body } = await ask((await campaign({ segment_id: await segment() })).id);
  expect(body).toMatchObject({ day_of_week: 2, timezone: 'Pacific/Auckland' });
  expect([11, 12]).toContain(body.hour);
  expect(new Date(body.recommended_at).getUTCHours()).toBe(23);
});

test('with fewer than fifty nothing is recommended', async () => {
  const ada = await contact('ada');
  await told(times(49, { contactId: ada, openedAt: last(1, 9) }));
  const { body } = await ask((await campaign({ segment_id: await segment() })).id);
  expect(body).toMatchObject({
    ...{ recommended_at: null, day_of_week: null, hour: null, confidence: 'none' },
    histogram: [{ opens: 49 }],
  });
});

test.each([
  [[{ event: 'order_placed', at_least: 0, at_most: 0 }], 1],
  [[{ event: 'order_placed', at_least: 2 }], 0],
])('a segment by events is asked as any other: %j', async (conditions, contacts) => {
  const ada = await contact('ada');
  await told(times(50, { contactId: ada, clickedAt: last(3, 20) }));
  const { body } = await ask((await campaign({ segment_id: await segment(conditions) })).id);
  expect(body.based_on).toEqual({ opens: 0, clicks: 50 * contacts, contacts, days: 90 });
});

test('without a segment, or when it was deleted, the campaign is incomplete; unknown ones are 404', async () => {
  const gone = await segment();
  const { id: left } = await campaign({ segment_id: gone });
  await fixture.workspace.graphql('mutation ($id: ID!) { deleteSegment(id: $id) }', { id: gone });
  for (const id of [(await campaign()).id, left]) {
    const { status, body } = await ask(id);
    expect([status, body.code, body.errors[0].field]).toEqual([422, 'campaign_incomplete', 'segment_id']);
  }
  expect((await ask(UNKNOWN_ID)).body.code).toBe('campaign_not_found');
});
