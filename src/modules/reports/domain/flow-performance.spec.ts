import fc from 'fast-check';
import { NO_EMAILS, NO_TRIPS } from '../../metrics/domain/period-totals.js';
import {
  bestOf,
  comparedFlow,
  flowGroups,
  MAX_GROUPS,
  withTotals,
  type FlowTotals,
} from './flow-performance.js';

const flow = (id: string, more: Partial<FlowTotals> = {}): FlowTotals => ({
  id,
  name: `Flow ${id}`,
  tags: [],
  isArchived: false,
  trips: NO_TRIPS,
  emails: NO_EMAILS,
  ...more,
});
const emails = {
  ...{ sent: 10, delivered: 8, opened: 4, clicked: 1, bounced: 2, complained: 0, unsubscribed: 3 },
  ...{ deliveriesOf: 10, opensOf: 8, opensIn: 4, clicksOf: 8, clicksIn: 1, bothOf: 4, bothIn: 1 },
};
const trips = { entered: 8, completed: 2, converted: 1 };
const FIGURES = {
  entered: 8,
  completed: 2,
  completionRate: 25,
  sent: 10,
  openRate: 50,
  clickRate: 12.5,
  measured: {
    deliveries: { measured: 10, of: 10 },
    opens: { measured: 8, of: 8 },
    clicks: { measured: 8, of: 8 },
  },
  conversions: 1,
  conversionRate: 12.5,
};

test('a flow is shown with rates of what arrived, and of who entered', () =>
  expect(comparedFlow(flow('a', { trips, emails }))).toEqual({
    flowId: 'a',
    name: 'Flow a',
    ...FIGURES,
    unsubscribed: 3,
  }));

test('the best of each rate is the first of the largest, and nobody where all are 0', () => {
  const [a, b, c] = [
    comparedFlow(flow('a', { trips })),
    comparedFlow(flow('b', { trips, emails })),
    comparedFlow(flow('c', { trips: { entered: 4, completed: 2, converted: 0 } })),
  ];
  expect(bestOf([a, b, c])).toEqual({
    completionRate: 'c',
    openRate: 'b',
    clickRate: 'b',
    conversionRate: 'a',
  });
  expect(bestOf([comparedFlow(flow('a')), comparedFlow(flow('b'))])).toEqual({
    completionRate: null,
    openRate: null,
    clickRate: null,
    conversionRate: null,
  });
});

test('a flow counts in the group of each of its tags, once; archived ones where something came of them', () => {
  const flows = [
    flow('a', { tags: ['x', 'y', 'x'], trips }),
    flow('b', { tags: ['y'], emails }),
    flow('c', { emails, trips }),
    flow('d', { tags: ['z'], isArchived: true }),
    flow('e', { tags: ['w'], isArchived: true, trips }),
    flow('f', { isArchived: true }),
  ];
  const { groups, untagged } = flowGroups(flows, null);
  expect(groups.map((group) => [group.tag, group.flows, group.entered, group.sent])).toEqual([
    ['w', 1, 8, 0],
    ['x', 1, 8, 0],
    ['y', 2, 8, 10],
  ]);
  expect(groups[2]).toEqual({ tag: 'y', flows: 2, ...FIGURES });
  expect(untagged).toEqual({ flows: 1, ...FIGURES });
  expect(flowGroups(flows, ['y', 'nobody has'])).toEqual({ groups: [groups[2]], untagged: null });
  expect(flowGroups([], null)).toEqual({ groups: [], untagged: null });
});

test('of too many groups those that most entered are shown, sorted by tag all the same', () => {
  const many = Array.from({ length: MAX_GROUPS + 5 }, (_, i) =>
    flow(`${i}`, { tags: [`t${String(i).padStart(4, '0')}`], trips: { ...trips, entered: i } }),
  );
  const { groups } = flowGroups(many, null);
  expect([groups.length, groups[0]?.tag, groups.at(-1)?.tag]).toEqual([MAX_GROUPS, 't0005', 't1004']);
});

test('groups of one tag each, and those without, are all flows together', () => {
  const figure = fc.record({
    tags: fc.constantFrom<readonly string[]>([], ['x'], ['y']),
    entered: fc.nat(1_000),
    sent: fc.nat(1_000),
  });
  fc.assert(
    fc.property(fc.array(figure, { maxLength: 12 }), (each) => {
      const flows = each.map(({ tags, entered, sent }, i) =>
        flow(`${i}`, { tags, trips: { ...NO_TRIPS, entered }, emails: { ...NO_EMAILS, sent } }),
      );
      const { groups, untagged } = flowGroups(flows, null);
      const all = [...groups, ...(untagged ? [untagged] : [])];
      const sum = (of: 'flows' | 'entered' | 'sent'): number =>
        all.reduce((total, one) => total + one[of], 0);
      expect([sum('flows'), sum('entered'), sum('sent')]).toEqual([
        flows.length,
        each.reduce((total, { entered }) => total + entered, 0),
        each.reduce((total, { sent }) => total + sent, 0),
      ]);
    }),
  );
});

test('a flow of which nothing is known has nothing', () =>
  expect(withTotals({ id: 'a', name: 'A', tags: [], isArchived: false }, new Map(), new Map())).toEqual({
    ...{ id: 'a', name: 'A', tags: [], isArchived: false },
    ...{ trips: NO_TRIPS, emails: NO_EMAILS },
  }));
