import fc from 'fast-check';
import {
  MAX_CLICK_MARKS,
  NO_ENGAGEMENT,
  engagementCountsOf,
  withReport,
  type Bounce,
  type Engagement,
  type EngagementReport,
} from './engagement.js';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const at = (seconds: number): Date => new Date(START + seconds * 1_000);
const HARD: Bounce = { kind: 'hard', code: '5.1.1', detail: 'no such user' };
const SOFT: Bounce = { kind: 'soft', code: '4.2.2', detail: 'mailbox full' };
const delivered = (s: number): EngagementReport => ({ kind: 'delivered', at: at(s) });
const opened = (s: number, isMachine = false): EngagementReport => ({ kind: 'opened', at: at(s), isMachine });
const clicked = (s: number, link = 'a', isMachine = false): EngagementReport => ({
  kind: 'clicked',
  at: at(s),
  link,
  isMachine,
});
const bounced = (s: number, bounce: Bounce): EngagementReport => ({ kind: 'bounced', at: at(s), bounce });
const complained = (s: number): EngagementReport => ({ kind: 'complained', at: at(s) });
const after = (...words: readonly EngagementReport[]): Engagement => words.reduce(withReport, NO_ENGAGEMENT);
const NOTHING = { delivered: 0, opened: 0, clicked: 0, bounced: 0, hardBounced: 0, complained: 0 };

test.each<[string, EngagementReport[], Partial<Engagement>, Partial<typeof NOTHING>]>([
  ['sent says nothing more', [{ kind: 'sent', at: at(1) }], {}, {}],
  ['delivered', [delivered(5), delivered(3), delivered(9)], { deliveredAt: at(3) }, { delivered: 1 }],
  [
    'an open says that it was delivered; the first counts, and how many',
    [opened(9), opened(5), delivered(7)],
    { deliveredAt: at(5), openedAt: at(5), opens: 2 },
    { delivered: 1, opened: 1 },
  ],
  [
    'a machine opens nothing, but had the message',
    [opened(1, true)],
    { deliveredAt: at(1), machineOpens: 1, openedAt: null },
    { delivered: 1 },
  ],
  [
    'a click is an open, images or none',
    [clicked(4)],
    { clickedAt: at(4), clicks: 1, openedAt: null },
    { delivered: 1, opened: 1, clicked: 1 },
  ],
  [
    'a scanner’s click is none',
    [clicked(4, 'a', true), clicked(60)],
    { clickedAt: at(60), clicks: 1, machineClicks: 1 },
    { delivered: 1, opened: 1, clicked: 1 },
  ],
  [
    'three links within five seconds are a scanner’s, the first one too',
    [clicked(4, 'a'), clicked(5, 'b'), clicked(9, 'c')],
    { clickedAt: null, clicks: 0, machineClicks: 3 },
    { delivered: 1 },
  ],
  [
    'three links within more are a reader’s, and the same link thrice too',
    [clicked(4, 'a'), clicked(5, 'b'), clicked(10, 'c'), clicked(11, 'c'), clicked(12, 'c')],
    { clicks: 5, machineClicks: 0, clickedAt: at(4) },
    { delivered: 1, opened: 1, clicked: 1 },
  ],
  [
    'a person behind a scanner',
    [clicked(1, 'a'), clicked(1, 'b'), clicked(1, 'c'), clicked(90, 'b')],
    { clicks: 1, machineClicks: 3, clickedAt: at(90) },
    { delivered: 1, opened: 1, clicked: 1 },
  ],
  [
    'a hard bounce takes the place of a soft one, not the other way round',
    [bounced(1, SOFT), bounced(9, HARD), bounced(2, SOFT)],
    { bouncedAt: at(9), bounceKind: 'hard', bounceCode: '5.1.1', bounceDetail: 'no such user' },
    { bounced: 1, hardBounced: 1 },
  ],
  [
    'of bounces of a kind the earliest stays',
    [bounced(5, SOFT), bounced(9, { ...SOFT, code: '4.7.1' }), bounced(3, { ...SOFT, code: '4.3.0' })],
    { bouncedAt: at(3), bounceCode: '4.3.0' },
    { bounced: 1 },
  ],
  [
    'a bounce without any detail',
    [bounced(1, { kind: 'soft', code: null, detail: null })],
    { bounceCode: null, bounceDetail: null },
    { bounced: 1 },
  ],
  [
    'a hard bounce before the delivery',
    [bounced(1, HARD), delivered(5)],
    {},
    { delivered: 1, bounced: 1, hardBounced: 1 },
  ],
  ['a soft bounce', [bounced(1, SOFT)], { bouncedAt: at(1), bounceKind: 'soft' }, { bounced: 1 }],
  ['a delivery behind it', [bounced(1, SOFT), delivered(5)], { bouncedAt: at(1) }, { delivered: 1 }],
  ['a delivery before it', [bounced(5, SOFT), delivered(1)], {}, { delivered: 1, bounced: 1 }],
  [
    'a hard bounce after the delivery',
    [delivered(1), bounced(5, HARD)],
    {},
    { delivered: 1, bounced: 1, hardBounced: 1 },
  ],
  ['a complaint', [complained(9), complained(5)], { complainedAt: at(5) }, { delivered: 1, complained: 1 }],
])('%s', (_name, words, engagement, figures) => {
  expect(after(...words)).toMatchObject(engagement);
  expect(engagementCountsOf(after(...words))).toEqual({ ...NOTHING, ...figures });
});

test('what a server said is kept in bounds, and without what PostgreSQL refuses', () => {
  const { bounceDetail } = after(bounced(1, { ...HARD, detail: `a\0${'b'.repeat(600)}` }));
  expect(bounceDetail).toBe(`a${'b'.repeat(499)}`);
});

const words = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 40 }).map(delivered),
    fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()).map(([s, machine]) => opened(s, machine)),
    fc
      .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom('a', 'b', 'c', 'd'), fc.boolean())
      .map(([s, link, machine]) => clicked(s, link, machine)),
    fc
      .tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom<Bounce>(HARD, SOFT))
      .map(([s, bounce]) => bounced(s, bounce)),
    fc.integer({ min: 0, max: 40 }).map(complained),
  ),
  { maxLength: MAX_CLICK_MARKS },
);

test('whatever the order of the words, they come to the same', () => {
  fc.assert(
    fc.property(
      words.chain((list) =>
        fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
      ),
      ([list, shuffled]) => {
        const [one, other] = [after(...list), after(...shuffled)];
        const { clickMarks: _one, ...left } = one;
        const { clickMarks: _other, ...right } = other;
        expect(right).toEqual(left);
        expect(one.clicks + one.machineClicks).toBe(list.filter(({ kind }) => kind === 'clicked').length);
      },
    ),
  );
});

test('no word takes back what was known, and no rate goes above its whole', () => {
  fc.assert(
    fc.property(words, (list) => {
      const figures = engagementCountsOf(after(...list));
      expect(figures.opened).toBeLessThanOrEqual(figures.delivered);
      expect(figures.clicked).toBeLessThanOrEqual(figures.opened);
      expect(figures.hardBounced).toBeLessThanOrEqual(figures.bounced);
      for (let end = 1; end <= list.length; end++) {
        const [before, now] = [after(...list.slice(0, end - 1)), after(...list.slice(0, end))];
        for (const known of ['deliveredAt', 'openedAt', 'bouncedAt', 'complainedAt'] as const)
          if (before[known] !== null) expect(now[known]).not.toBeNull();
      }
    }),
  );
});

test('beyond the clicks that are remembered each counts by itself', () => {
  const many = Array.from({ length: MAX_CLICK_MARKS + 20 }, (_, n) =>
    clicked(n * 60, `link ${n}`, n % 4 === 3),
  );
  const engagement = after(...many);
  expect(engagement).toMatchObject({ clicks: 53, machineClicks: 17, clickedAt: at(0) });
  expect(engagement.clickMarks).toHaveLength(MAX_CLICK_MARKS);
});

test('the first person behind the clicks that are remembered has clicked when it did', () => {
  const machines = Array.from({ length: MAX_CLICK_MARKS }, (_, n) => clicked(n * 60, 'a', true));
  const [first, second] = [clicked(MAX_CLICK_MARKS * 60), clicked(MAX_CLICK_MARKS * 120)];
  expect(after(...machines)).toMatchObject({ clicks: 0, clickedAt: null });
  expect(after(...machines, first)).toMatchObject({ clicks: 1, clickedAt: first.at });
  expect(after(...machines, first, second)).toMatchObject({ clicks: 2, clickedAt: first.at });
});
