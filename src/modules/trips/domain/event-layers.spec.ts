import fc from 'fast-check';
import { layersOf } from './event-layers.js';

const TRIGGERS = new Set(['start', 'both']);
const GOALS = new Set(['goal', 'both']);

const events = (...written: string[]) =>
  written.map((text, id) => ({ id, contactId: text.slice(0, 1), name: text.slice(2) }));
const layers = (...written: string[]): string[][] =>
  layersOf(events(...written), TRIGGERS, GOALS).map((layer) =>
    layer.map(({ contactId, name }) => `${contactId} ${name}`),
  );

test.each([
  ['nothing', [], []],
  ['goals and others', ['a goal', 'a seen', 'a goal'], [['a goal', 'a seen', 'a goal']]],
  ['a goal before a trigger', ['a goal', 'a start'], [['a goal', 'a start']]],
  ['a goal behind a trigger', ['a start', 'a goal'], [['a start'], ['a goal']]],
  ['goals behind a trigger', ['a start', 'a goal', 'a goal'], [['a start'], ['a goal', 'a goal']]],
  ['a goal behind another contact’s trigger', ['a start', 'b goal'], [['a start', 'b goal']]],
  [
    'contacts that do not depend on each other',
    ['a start', 'a goal', 'b start', 'b goal'],
    [
      ['a start', 'b start'],
      ['a goal', 'b goal'],
    ],
  ],
  ['an event that is both', ['a both'], [['a both']]],
  ['two that are both', ['a both', 'a both'], [['a both'], ['a both']]],
  [
    'to and fro',
    ['a start', 'a goal', 'a start', 'b start', 'a goal'],
    [['a start', 'b start'], ['a goal', 'a start'], ['a goal']],
  ],
])('%s', (_name, written, expected) => {
  expect(layers(...written)).toEqual(expected);
});

test('each event is in one layer; a contact’s keep their order, and no goal follows a trigger within one', () => {
  const one = fc.record({
    contactId: fc.constantFrom('a', 'b', 'c'),
    name: fc.constantFrom('start', 'goal', 'both', 'seen'),
  });
  fc.assert(
    fc.property(fc.array(one), (given) => {
      const batch = given.map((event, id) => ({ ...event, id }));
      const cut = layersOf(batch, TRIGGERS, GOALS);
      expect(
        cut
          .flat()
          .map(({ id }) => id)
          .sort((a, b) => a - b),
      ).toEqual(batch.map(({ id }) => id));
      for (const contact of ['a', 'b', 'c']) {
        const ids = cut
          .flat()
          .filter(({ contactId }) => contactId === contact)
          .map(({ id }) => id);
        expect(ids).toEqual([...ids].sort((a, b) => a - b));
        for (const layer of cut) {
          const own = layer.filter(({ contactId }) => contactId === contact);
          const trigger = own.findIndex(({ name }) => TRIGGERS.has(name));
          if (trigger !== -1) expect(own.slice(trigger + 1).some(({ name }) => GOALS.has(name))).toBe(false);
        }
      }
    }),
  );
});
