/** Re-entry rules hold exactly, however many concurrent events trigger a flow, and on several processes. */
import { bootApp, type TestApp, type TestWorkspace } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { TripsFixture } from './trips-fixture.js';

let fixture: TripsFixture;
/** A second process on the same database. */
let other: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  fixture = await TripsFixture.lay();
  other = await bootApp({ on: fixture.app });
});
afterAll(async () => {
  await other.end();
  await fixture.clear();
});
beforeEach(async () => {
  workspace = await fixture.app.workspace();
});

const AT_ONCE = 10;

async function trigger(): Promise<number> {
  const headers = { 'x-workspace-id': workspace.id, 'x-api-key': workspace.key };
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      (index % 2 === 0 ? fixture.app : other).request(
        'POST',
        '/v1/events',
        { external_id: 'ada', event_name: 'began' },
        headers,
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  await fixture.quiet();
  return (await fixture.trips(workspace)).length;
}

test.each([
  ['never', {}, [1, 1, 1, 1]],
  ['after_completion', {}, [1, 1, 2, 3]],
  ['cooldown', { reentry_cooldown_days: 1 }, [1, 1, 1, 2]],
  ['always', {}, [10, 20, 30, 40]],
])(
  '%s: ten events at once, again during the trip, behind it, and a day later',
  async (policy, more, counts) => {
    await fixture.flow(workspace, {
      settings: { reentry_policy: policy, ...more },
      steps: [{ type: 'wait', duration: '2h' }],
    });
    const found = [await trigger()];
    await fixture.wind(HOUR);
    found.push(await trigger());
    await fixture.wind(3 * HOUR);
    found.push(await trigger());
    await fixture.wind(DAY);
    found.push(await trigger());
    expect(found).toEqual(counts);
  },
);
