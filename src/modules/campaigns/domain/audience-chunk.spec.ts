import fc from 'fast-check';
import type { AudienceMember } from '../../segments/domain/audience.js';
import type { AbTest } from './ab-test.js';
import { planChunk } from './audience-chunk.js';
import { HOLDOUT_GROUP } from './campaign-counters.js';
import type { CampaignInstance } from './instance.js';

const START = new Date('2026-03-02T09:00:00Z');
const abTest: AbTest = {
  variants: ['A', 'B', 'C'].map((name) => ({ name, subject: null, templateId: null, senderName: null })),
  ...{ testPercentage: 40, metric: 'open_rate', goal: null, durationHours: 4 },
  ...{ sendWinner: 'auto', holdoutPercentage: 10 },
};
const instance = (more: Partial<CampaignInstance> = {}): CampaignInstance => ({
  ...{ id: 'i', campaignId: 'c', number: 1, status: 'sending', scheduledAt: null, startedAt: START },
  ...{ completedAt: null, takenTo: null, isTaken: false, audience: 0, skipped: 0, mailed: 0, rest: 0 },
  ...{ delayedMs: 0, pausedAt: null, sweep: null, sweepAfter: null },
  ...{ winner: null, decidedBy: null, decidedAt: null, restFrom: null, goalEvent: null, goalUntil: null },
  ...{ pacedAt: null, paced: 0, perMinute: null },
  content: { segmentId: 's', variants: [], abTest: null },
  timing: { maxPerHour: 60, wallClock: null, offset: 0 },
  ...more,
});
const member = (id: string, more: Partial<AudienceMember> = {}): AudienceMember => ({
  ...{ id, externalId: id, email: `${id}@example.com`, subscriptionStatus: 'subscribed', timezone: null },
  ...more,
});
const NOBODY = { refused: new Set<string>(), listed: new Set<string>() };
const ids = (): (() => string) => {
  let next = 0;
  return () => `m${next++}`;
};

test('who gets none gets it for the first reason that stands against it, and has no place', () => {
  const members = [
    member('a', { subscriptionStatus: 'unsubscribed' }),
    member('b', { email: ' ' }),
    member('c'),
    member('d'),
    member('e'),
  ];
  const known = { refused: new Set(['c']), listed: new Set(['d']) };
  const {
    recipients,
    messages,
    progress: progress,
  } = planChunk(instance(), { members, last: 'e' }, known, ids());
  expect(recipients.map(({ skipped, sendIndex: sendIndex }) => [skipped, sendIndex])).toEqual([
    ['unsubscribed', null],
    ['no_email_address', null],
    ['unsubscribed', null],
    ['suppression_list', null],
    [null, 0],
  ]);
  expect([...messages.values()].flat()).toEqual([{ id: 'm0', contactId: 'e', at: START }]);
  expect(progress).toEqual({ audience: 5, skipped: 4, mailed: 1, rest: 0, takenTo: 'e', isTaken: false });
});

test('of several with one address the first who may have mail gets it, also where that one is held out', () => {
  const members = [
    member('a', { email: 'ada@example.com', subscriptionStatus: 'unsubscribed' }),
    member('b', { email: 'Ada@Example.COM' }),
    member('c', { email: ' ada@example.com ' }),
    member('d', { email: 'bob@bücher.example' }),
    member('e', { email: 'bob@XN--bcher-kva.example' }),
    member('f', { email: 'eve@example.com' }),
  ];
  const known = { ...NOBODY, repeated: new Set(['f']) };
  const { recipients, progress: progress } = planChunk(instance(), { members, last: null }, known, ids());
  expect(recipients.map(({ skipped, sendIndex: sendIndex }) => [skipped, sendIndex])).toEqual([
    ['unsubscribed', null],
    [null, 0],
    ['duplicate_address', null],
    [null, 1],
    ['duplicate_address', null],
    ['duplicate_address', null],
  ]);
  expect(progress).toMatchObject({ audience: 6, skipped: 4, mailed: 2 });
  const all = { ...abTest, testPercentage: 100, holdoutPercentage: 20 };
  const content = { segmentId: 's', variants: [], abTest: all };
  const doubles = Array.from({ length: 100 }, (_, n) => member(`${n}`, { email: `${n >> 1}@example.com` }));
  const tested = planChunk(instance({ content }), { members: doubles, last: null }, NOBODY, ids());
  const ofPairs = tested.recipients.map(({ skipped }) => skipped === 'duplicate_address');
  expect(ofPairs).toEqual(doubles.map((_, n) => n % 2 === 1));
  expect(tested.groups.get(HOLDOUT_GROUP)).toBeGreaterThan(0);
});

test('the last stretch ends it where it came to', () => {
  const { progress: progress } = planChunk(
    instance({ takenTo: 'z' }),
    { members: [], last: null },
    NOBODY,
    ids(),
  );
  expect(progress).toMatchObject({ takenTo: 'z', isTaken: true, audience: 0 });
});

test('however it is cut into stretches, everybody sits where they would, and the sums are those of the whole', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uuid(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.boolean(),
      (people, length, isTest) => {
        const content = { segmentId: 's', variants: [], abTest: isTest ? abTest : null };
        const members = people.map((id) => member(id));
        const whole = planChunk(instance({ content }), { members, last: null }, NOBODY, ids());
        const newId = ids();
        let present = instance({ content });
        const parts = Array.from({ length: Math.ceil(members.length / length) || 1 }, (_, n) => {
          const some = members.slice(n * length, (n + 1) * length);
          const last = (n + 1) * length >= members.length ? null : (some.at(-1)?.id ?? null);
          const part = planChunk(present, { members: some, last }, NOBODY, newId);
          present = { ...present, ...part.progress };
          return part;
        });
        expect(parts.flatMap(({ recipients }) => recipients)).toEqual(whole.recipients);
        const { takenTo: _to, ...sums } = parts.at(-1)?.progress ?? whole.progress;
        expect(whole.progress).toMatchObject(sums);
        const groups = new Map<number, number>();
        for (const part of parts)
          for (const [group, count] of part.groups) groups.set(group, (groups.get(group) ?? 0) + count);
        expect(groups).toEqual(whole.groups);
        const { audience, skipped, mailed, rest } = whole.progress;
        expect([audience, skipped + mailed]).toEqual([people.length, people.length]);
        expect(skipped).toBe(isTest ? (groups.get(HOLDOUT_GROUP) ?? 0) : 0);
        expect(rest).toBe(whole.recipients.filter(({ isRest }) => isRest).length);
        // In each row by itself, the places start at 0 and have no gaps.
        for (const isRest of [true, false]) {
          const places = whole.recipients.filter((one) => one.skipped === null && one.isRest === isRest);
          expect(places.map(({ sendIndex: sendIndex }) => sendIndex)).toEqual(places.map((_, n) => n));
        }
      },
    ),
  );
});
