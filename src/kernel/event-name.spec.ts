import { isEventName } from './event-name.js';

test.each([
  ['a', true],
  ['order_placed', true],
  ['v2_launch', true],
  ['_a', false],
  ['a_', false],
  ['a__b', false],
  ['2a', false],
  ['a-b', false],
  ['A', false],
])('isEventName(%s) is %s', (name, holds) => {
  expect(isEventName(name)).toBe(holds);
});
