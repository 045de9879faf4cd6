/**
 * Tests what each condition of a filter means for one contact. test/segments/agreement.spec.ts checks that SQL
 * agrees.
 */
import { DAY } from '../../../kernel/duration.js';
import { newContact, type Contact } from '../../contacts/domain/contact.js';
import { matchesFilter, passes, type ContactInputs, type DoneEvent } from './matches-filter.js';
import type { EventCondition, FilterCondition, FilterGroup, ValueTest } from './filter.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const fromNow = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);
const WEEK = 7 * DAY;
const MARCH = new Date('2026-03-01T00:00:00Z');

describe('a value', () => {
  test.each<[ValueTest, unknown, boolean]>([
    [{ operator: 'exists' }, '', true],
    [{ operator: 'exists' }, 0, true],
    [{ operator: 'exists' }, false, true],
    [{ operator: 'exists' }, null, false],
    [{ operator: 'exists' }, undefined, false],
    [{ operator: 'not_exists' }, '', false],
    [{ operator: 'not_exists' }, null, true],
    [{ operator: 'not_exists' }, undefined, true],

    [{ operator: 'equals', value: 'ADA' }, 'Ada', true],
    [{ operator: 'equals', value: 'ada' }, 'adam', false],
    [{ operator: 'equals', value: 1 }, 1, true],
    [{ operator: 'equals', value: 1 }, 2, false],
    [{ operator: 'equals', value: 1 }, '1', false],
    [{ operator: 'equals', value: '1' }, 1, false],
    [{ operator: 'equals', value: true }, true, true],
    [{ operator: 'equals', value: true }, false, false],
    [{ operator: 'equals', value: true }, 'true', false],
    [{ operator: 'equals', value: 'ada' }, ['ada'], false],
    [{ operator: 'equals', value: 'ada' }, undefined, false],
    [{ operator: 'not_equals', value: 'ada' }, 'Ada', false],
    [{ operator: 'not_equals', value: 'ada' }, 'bob', true],
    [{ operator: 'not_equals', value: 'ada' }, undefined, true],

    [{ operator: 'in', values: ['ada', 'bob'] }, 'BOB', true],
    [{ operator: 'in', values: ['ada', 'bob'] }, 'eve', false],
    [{ operator: 'in', values: ['ada'] }, null, false],
    [{ operator: 'not_in', values: ['ada', 'bob'] }, 'BOB', false],
    [{ operator: 'not_in', values: ['ada', 'bob'] }, 'eve', true],
    [{ operator: 'not_in', values: ['ada'] }, null, true],

    [{ operator: 'contains', text: 'ov' }, 'LOVELACE', true],
    [{ operator: 'contains', text: 'vo' }, 'LOVELACE', false],
    [{ operator: 'contains', text: 'a' }, ['B', 'A'], true],
    [{ operator: 'contains', text: 'a' }, ['ab', 1], false],
    [{ operator: 'contains', text: '1' }, 1, false],
    [{ operator: 'contains', text: 'a' }, { length: 1, a: 'a' }, false],
    [{ operator: 'not_contains', text: 'ov' }, 'LOVELACE', false],
    [{ operator: 'not_contains', text: 'ov' }, undefined, true],
    [{ operator: 'starts_with', text: 'lo' }, 'LOVELACE', true],
    [{ operator: 'starts_with', text: 'ace' }, 'LOVELACE', false],
    [{ operator: 'starts_with', text: '1' }, 12, false],
    [{ operator: 'ends_with', text: 'ace' }, 'LOVELACE', true],
    [{ operator: 'ends_with', text: 'lo' }, 'LOVELACE', false],
    [{ operator: 'ends_with', text: '2' }, 12, false],

    [{ operator: 'greater_than', number: 5 }, 5, false],
    [{ operator: 'greater_than', number: 5 }, 5.5, true],
    [{ operator: 'greater_than', number: 5 }, '6', false],
    [{ operator: 'greater_than_or_equal', number: 5 }, 5, true],
    [{ operator: 'greater_than_or_equal', number: 5 }, 4, false],
    [{ operator: 'greater_than_or_equal', number: 5 }, '5', false],
    [{ operator: 'less_than', number: 5 }, 5, false],
    [{ operator: 'less_than', number: 5 }, 4, true],
    [{ operator: 'less_than', number: 5 }, '4', false],
    [{ operator: 'less_than_or_equal', number: 5 }, 5, true],
    [{ operator: 'less_than_or_equal', number: 5 }, 6, false],
    [{ operator: 'less_than_or_equal', number: 5 }, '5', false],

    [{ operator: 'before', moment: MARCH }, '2026-02-28', true],
    [{ operator: 'before', moment: MARCH }, '2026-03-01', false],
    [{ operator: 'after', moment: MARCH }, '2026-03-01', false],
    [{ operator: 'after', moment: MARCH }, '2026-03-01T00:00:01', true],
    [{ operator: 'after', moment: MARCH }, NOW, true],
    [{ operator: 'after', moment: MARCH }, 'tomorrow', false],
    [{ operator: 'after', moment: MARCH }, NOW.getTime(), true],
    [{ operator: 'after', moment: MARCH }, '2026-03-01 00:00:01', true],
    [{ operator: 'after', moment: MARCH }, true, false],
    [{ operator: 'on', day: '2026-03-02' }, NOW, true],
    [{ operator: 'on', day: '2026-03-02' }, '2026-03-02T00:30:00+01:00', false],

    [{ operator: 'within_last_days', days: 7 }, fromNow(-WEEK - 1), false],
    [{ operator: 'within_last_days', days: 7 }, fromNow(-WEEK), true],
    [{ operator: 'within_last_days', days: 7 }, NOW, true],
    [{ operator: 'within_last_days', days: 7 }, fromNow(1), false],
    [{ operator: 'more_than_days_ago', days: 7 }, fromNow(-WEEK - 1), true],
    [{ operator: 'more_than_days_ago', days: 7 }, fromNow(-WEEK), false],
    [{ operator: 'within_next_days', days: 7 }, fromNow(-1), false],
    [{ operator: 'within_next_days', days: 7 }, NOW, true],
    [{ operator: 'within_next_days', days: 7 }, fromNow(WEEK), true],
    [{ operator: 'within_next_days', days: 7 }, fromNow(WEEK + 1), false],
  ])('%j of %j: %s', (asked, value, holds) => expect(passes(asked, value, NOW)).toBe(holds));
});

describe('a filter', () => {
  const holds = (
    condition: FilterCondition,
    contact: Partial<Contact> = {},
    facts: Partial<ContactInputs> = {},
  ): boolean =>
    matchesFilter(
      { kind: 'group', match: 'all', conditions: [condition] },
      {
        contact: { ...newContact('contact', 'ada', NOW), ...contact },
        events: new Map(),
        filterOf: () => undefined,
        ...facts,
      },
      NOW,
    );
  const group = (match: 'all' | 'any', ...conditions: FilterCondition[]): FilterGroup => ({
    kind: 'group',
    match,
    conditions,
  });
  const nobody: FilterCondition = group('any', {
    kind: 'field',
    fieldRef: { kind: 'text', field: 'email' },
    test: { operator: 'exists' },
  });
  const everybody = group('any');

  test('asks standard fields and properties', () => {
    const test: ValueTest = { operator: 'equals', value: 'pro' };
    const field: FilterCondition = { kind: 'field', fieldRef: { kind: 'text', field: 'locale' }, test };
    const property: FilterCondition = { kind: 'field', fieldRef: { kind: 'json', path: ['plan'] }, test };
    expect([holds(field, { locale: 'pro' }), holds(field, { properties: { locale: 'pro' } })]).toEqual([
      true,
      false,
    ]);
    expect(holds(property, { properties: { plan: 'pro' } })).toBe(true);
  });

  test('holds for no deleted contact', () => {
    expect(holds(everybody)).toBe(true);
    expect(holds(everybody, { subscriptionStatus: 'deleted' })).toBe(false);
  });

  test.each([
    [group('all'), true],
    [group('any'), true],
    [group('all', everybody, nobody), false],
    [group('all', everybody, everybody), true],
    [group('any', everybody, nobody), true],
    [group('any', nobody, nobody), false],
  ])('%j: %s', (condition, expected) => expect(holds(condition)).toBe(expected));

  test.each([
    ['any', ['a', 'x'], true],
    ['any', ['x'], false],
    ['any', ['A'], false],
    ['all', ['a', 'b'], true],
    ['all', ['a', 'x'], false],
    ['none', ['x'], true],
    ['none', ['a', 'x'], false],
  ] as const)('%s of the tags %j: %s', (quantity, tags, expected) =>
    expect(holds({ kind: 'tags', quantity, tags }, { tags: ['a', 'b'] })).toBe(expected),
  );

  describe('about an event', () => {
    const done = (days: number, plan = 'pro'): DoneEvent => ({
      attributes: { plan },
      occurredAt: fromNow(-days * DAY),
    });
    const asks = (more: Partial<EventCondition>): EventCondition => ({
      ...{ kind: 'event', eventName: 'paid', atLeast: 1, atMost: null, withinDays: null, where: [] },
      ...more,
    });
    const where = [{ path: ['plan'], test: { operator: 'equals', value: 'pro' } }] as const;

    test.each<[Partial<EventCondition>, DoneEvent[], boolean]>([
      [{}, [], false],
      [{}, [done(400)], true],
      [{ atLeast: 2 }, [done(1)], false],
      [{ atLeast: 2 }, [done(1), done(2)], true],
      [{ atLeast: 0, atMost: 1 }, [], true],
      [{ atLeast: 0, atMost: 1 }, [done(1)], true],
      [{ atLeast: 0, atMost: 1 }, [done(1), done(2)], false],
      [{ withinDays: 7 }, [done(7)], true],
      [{ withinDays: 7 }, [{ attributes: {}, occurredAt: fromNow(-WEEK - 1) }], false],
      [{ atLeast: 2, withinDays: 7 }, [done(8), done(1)], false],
      [{ where }, [done(1, 'free')], false],
      [{ where }, [done(1, 'free'), done(1)], true],
      [{ where: [...where, { path: ['seats'], test: { operator: 'exists' } }] }, [done(1)], false],
    ])('%j of %j: %s', (more, events, expected) => {
      expect(holds(asks(more), {}, { events: new Map([['paid', events]]) })).toBe(expected);
    });

    test('counts no other event', () => {
      expect(holds(asks({}), {}, { events: new Map([['seen', [done(1)]]]) })).toBe(false);
    });
  });

  test.each([
    ['everybody', true, true],
    ['everybody', false, false],
    ['nobody', true, false],
    ['nobody', false, true],
    ['missing', true, false],
    ['missing', false, true],
  ])('about the segment of %s, isMember %s: %s', (segmentId, isMember, expected) => {
    const filters = new Map([
      ['everybody', everybody],
      ['nobody', group('all', nobody)],
    ]);
    const filterOf = (id: string): FilterGroup | undefined => filters.get(id);
    expect(holds({ kind: 'segment', segmentId, isMember }, {}, { filterOf })).toBe(expected);
  });
});
