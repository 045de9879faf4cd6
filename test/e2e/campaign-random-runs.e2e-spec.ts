/**
 * Property test of campaigns: they are sent, scheduled, paused, resumed and cancelled in random order, while the
 * monthly cap is reached, the workspace is suspended, contacts unsubscribe, and the service loses its database
 * connections at any moment. After each step the totals are right, no contact has two copies, and nothing is sent that
 * must not be.
 */
import fc from 'fast-check';
import { campaignActs } from '../support/campaign-acts.js';
import { campaignsFixture } from '../support/campaigns-fixture.js';
import { HOUR, MINUTE } from '../support/clock.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';

const RUNS = repetitions({ short: 4, full: 200 });
const PEOPLE = 60;
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  send: ['draft'],
  schedule: ['draft', 'scheduled'],
  pause: ['sending', 'ab_testing', 'resumed'],
  resume: ['paused'],
  cancel: ['scheduled', 'sending', 'resumed', 'paused', 'ab_testing', 'recurring', 'stopped'],
};

const fixture = campaignsFixture();
const { people, ready } = campaignActs(fixture);

type Step =
  | { readonly kind: 'call'; readonly call: string }
  | { readonly kind: 'wind'; readonly minutes: number }
  | { readonly kind: 'full'; readonly holds: boolean }
  | { readonly kind: 'suspended'; readonly holds: boolean }
  | { readonly kind: 'unsubscribe'; readonly person: number }
  | { readonly kind: 'lose' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      call: fc.constantFrom('pause', 'resume', 'resume', 'pause', 'cancel', 'schedule', 'send'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('wind' as const), minutes: fc.integer({ min: 1, max: 20 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('full' as const, 'suspended' as const),
      holds: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('unsubscribe' as const),
      person: fc.integer({ min: 0, max: PEOPLE - 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const) }) },
);

interface Message {
  readonly id: string;
  readonly status: string;
  readonly contact: string;
  readonly messageId: string;
}
const messages = async (): Promise<Message[]> =>
  (
    await fixture.admin.query<Message>(
      'SELECT id, status, contact_id AS contact, message_id AS "messageId" FROM email_logs WHERE workspace_id = $1 ORDER BY id',
      [fixture.workspace.id],
    )
  ).rows;
const begun = (all: readonly Message[]): Set<string> =>
  new Set(
    all.filter(({ status }) => ['sending', 'sent', 'unknown', 'failed'].includes(status)).map(({ id }) => id),
  );

/** Sets the month's usage to above the cap, or to zero. */
async function fill(isFull: boolean): Promise<void> {
  await fixture.admin.query(
    `INSERT INTO monthly_emails (workspace_id, environment, month, used) VALUES ($1, 'live', $2, $3)
     ON CONFLICT (workspace_id, environment, month) DO UPDATE SET used = $3`,
    [fixture.workspace.id, `${fixture.app.clock.now().toISOString().slice(0, 7)}-01`, isFull ? 1_000_000 : 0],
  );
}
async function suspend(isSuspended: boolean): Promise<void> {
  await fixture.admin.query('UPDATE workspaces SET status = $2 WHERE id = $1', [
    fixture.workspace.id,
    isSuspended ? 'suspended' : 'active',
  ]);
}
/** Cuts all database connections of the service, so that claimed work is lost as after a kill. */
async function lose(): Promise<void> {
  await fixture.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND datname = current_database() AND backend_type = 'client backend'
       AND usename <> current_user`,
  );
}
/** Repeats a call until it is answered, in case the service has just lost its connections. */
async function answered<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await ask();
  await until('it is answered', async () => {
    if (answer.status !== 503 && answer.status !== 500) return true;
    answer = await ask();
    return false;
  });
  return answer;
}

/** Checks the invariants that hold at every moment. */
async function check(id: string): Promise<any> {
  const { body: numbers } = await answered(() => fixture.call('GET', `/${id}/analytics`));
  const { audience, pending, sent, failed, suppressed, skipped, cancelled, unknown } = numbers;
  expect(pending + sent + failed + suppressed + skipped + cancelled + unknown).toBe(audience);
  expect(Math.min(pending, sent, failed, suppressed, skipped, cancelled, unknown)).toBeGreaterThanOrEqual(0);
  const all = await messages();
  expect(new Set(all.map(({ contact }) => contact)).size).toBe(all.length);
  const mine = new Set(all.map(({ messageId }) => messageId));
  const arrived = fixture.app.sink.mails.filter(({ messageId }) => mine.has(messageId));
  expect(new Set(arrived.map(({ messageId }) => messageId)).size).toBe(arrived.length);
  return numbers;
}

test('after each step the sums are right, nobody has it twice, and nothing begins that must not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 14 }),
      fc.constantFrom(null, 60, 600),
      async (steps, maxPerHour) => {
        fixture.workspace = await fixture.app.workspace({ plan: 'growth' });
        await people(PEOPLE);
        const campaign = await ready();
        const { id } = campaign;
        let frozen: Set<string> | undefined;
        const act = async (call: string): Promise<void> => {
          const before = (await answered(() => fixture.get(id))).body.status;
          const at = new Date(fixture.app.clock.now().getTime() + 10 * MINUTE).toISOString();
          const body = { send: { max_per_hour: maxPerHour }, schedule: { scheduled_at: at } }[call];
          const { status, body: answer } = await answered(() => fixture.call('POST', `/${id}/${call}`, body));
          // Background work may have changed the status meanwhile: then the error names a status that forbids this
          // call.
          if (status === 400) expect(ALLOWED[call]).not.toContain(answer.status);
          else if (status === 403)
            expect(['plan_limit_reached', 'workspace_suspended']).toContain(answer.code);
          else expect([status, ALLOWED[call]?.includes(before)]).toEqual([200, expect.any(Boolean)]);
          if (status !== 200) return;
          if (call === 'pause' || call === 'cancel') frozen = begun(await messages());
          else frozen = undefined;
        };
        await act('send');
        for (const one of steps) {
          if (one.kind === 'call') await act(one.call);
          else if (one.kind === 'wind') fixture.app.clock.wind(one.minutes * MINUTE);
          else if (one.kind === 'full') await fill(one.holds);
          else if (one.kind === 'suspended') await suspend(one.holds);
          else if (one.kind === 'lose') await lose();
          else
            await fixture.admin.query(
              `UPDATE contacts SET subscription_status = 'unsubscribed' WHERE workspace_id = $1 AND external_id = $2`,
              [fixture.workspace.id, `person-${one.person}`],
            );
          await new Promise((resolve) => setTimeout(resolve, 30));
          await check(id);
          // Messages of a paused or cancelled campaign began before the answer, or not at all.
          if (frozen) for (const message of begun(await messages())) expect(frozen).toContain(message);
        }
        await fill(false);
        await suspend(false);
        fixture.app.clock.wind(HOUR);
        await until('it is over', async () => {
          fixture.app.clock.wind(10 * MINUTE);
          const { status } = (await answered(() => fixture.get(id))).body;
          if (status === 'paused') await act('resume');
          return status === 'sent' || status === 'cancelled';
        });
        const { status } = (await answered(() => fixture.get(id))).body;
        await until('nothing is pending', async () => {
          fixture.app.clock.wind(MINUTE);
          return (await check(id)).pending === 0;
        });
        const numbers = await check(id);
        expect(numbers.audience).toBeLessThanOrEqual(PEOPLE);
        if (status === 'sent') {
          expect([numbers.audience, numbers.cancelled]).toEqual([PEOPLE, 0]);
          expect((await messages()).map((message) => message.status)).not.toContain('queued');
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
});
