import { tenantWakeUp } from './job-contract.js';
import { dueWork, earliestOf } from './poller.js';

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0';
const wakeUp = tenantWakeUp('x.do', 'x');

test('a bell holds a tenant and nothing else', () => {
  expect(wakeUp.parse({ workspaceId: ID, environment: 'live', more: 1 })).toEqual({
    workspaceId: ID,
    environment: 'live',
  });
  expect(wakeUp.deduplicationId({ workspaceId: ID, environment: 'test' })).toBe(`x.do:${ID}:test`);
});

test.each([
  undefined,
  null,
  7,
  {},
  { workspaceId: ID },
  { workspaceId: 'x', environment: 'live' },
  { workspaceId: ID, environment: 'dev' },
])('the payload %j is refused', (payload) => {
  expect(() => wakeUp.parse(payload)).toThrow(TypeError);
});

test('tenants are sorted into due and not yet due', () => {
  const at = (second: number): Date => new Date(second * 1_000);
  const rows = [5, 1, 9, 12].map((due) => ({
    workspace_id: `${due}`,
    environment: 'live' as const,
    due_at: at(due),
  }));
  expect(dueWork(rows, at(9))).toEqual({
    scopes: [5, 1, 9].map((id) => ({ workspaceId: `${id}`, environment: 'live' })),
    since: [at(5), at(1), at(9)],
    next: at(12),
    oldest: at(1),
  });
});

test('a tenant that several queries list is due at its earliest time', () => {
  const row = (id: string, environment: 'live' | 'test', second: number) => ({
    workspace_id: id,
    environment,
    due_at: new Date(second * 1_000),
  });
  const rows = [
    row('a', 'live', 5),
    row('b', 'live', 1),
    row('a', 'live', 3),
    row('a', 'test', 9),
    row('b', 'live', 2),
  ];
  expect(earliestOf(rows)).toEqual([row('a', 'live', 3), row('b', 'live', 1), row('a', 'test', 9)]);
});
