import type { TenantScope } from '../../kernel/tenant-scope.js';
import { dueWork } from './poller.js';
import { MAX_PAUSE_MS, pauseAfter, UnansweredWakeUps } from './sweeper.js';

test.each([
  ['while something is due, soon', 'due', 2, 200],
  ['where looks take long, so that they take a twentieth of the time', 'due', 30, 600],
  ['never longer than with nothing due', 'due', 500, MAX_PAUSE_MS],
  ['with nothing due', 'nothing', 2, MAX_PAUSE_MS],
  ['after a failure, regardless of its duration', 'failure', 5_000, 250],
] as const)('looks again: %s', (_, found, took, pause) => expect(pauseAfter(found, took)).toBe(pause));

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const row = (workspaceId: string, due: Date) => ({
  workspace_id: workspaceId,
  environment: 'live' as TenantScope['environment'],
  due_at: due,
});

describe('unanswered bells', () => {
  const cases: [string, { since: Date; now: Date; real: number }[], boolean[]][] = [
    [
      'the first look insists: an earlier process may have left it',
      [{ since: at(0), now: at(5), real: 0 }],
      [true],
    ],
    [
      'nothing has happened for a second',
      [
        { since: at(0), now: at(5), real: 0 },
        { since: at(0), now: at(6), real: 1_000 },
      ],
      [true, true],
    ],
    [
      'looks that follow each other quickly',
      [
        { since: at(0), now: at(5), real: 0 },
        { since: at(0), now: at(5), real: 500 },
        { since: at(0), now: at(6), real: 1_000 },
      ],
      [true, false, true],
    ],
    [
      'the oldest row was worked on',
      [
        { since: at(0), now: at(5), real: 0 },
        { since: at(1), now: at(6), real: 1_000 },
      ],
      [true, false],
    ],
    [
      'what is due since now, again and again',
      [
        { since: at(5), now: at(5), real: 0 },
        { since: at(6), now: at(6), real: 1_000 },
      ],
      [true, true],
    ],
  ];

  test.each(cases)('%s', (_name, looks, expected) => {
    const wakeUps = new UnansweredWakeUps();
    const insisted = looks.flatMap(({ since, now, real }) =>
      wakeUps.record(dueWork([row('w1', since)], now), now, real),
    );
    expect(insisted).toEqual(expected);
  });

  test('a tenant that was idle meanwhile starts anew, and tenants are kept apart', () => {
    const wakeUps = new UnansweredWakeUps();
    const look = (rows: ReturnType<typeof row>[], real: number): boolean[] =>
      wakeUps.record(dueWork(rows, at(10)), at(10), real);
    look([row('w1', at(0)), row('w2', at(0))], 0);
    look([row('w2', at(0))], 1_000);
    expect(look([row('w1', at(0)), row('w2', at(0))], 2_000)).toEqual([false, true]);
  });
});
