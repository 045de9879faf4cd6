import fc from 'fast-check';
import { highestId, assignStepIds } from './step-identity.js';
import { stepsWithPaths } from './step-tree.js';
import type { NewStep, Step } from './step.js';
import { stepOf, storedStep, writtenStep } from './written-flow.js';

const send = (templateSlug: string): NewStep => ({ type: 'send_email', templateSlug });
const wait = (duration: string): NewStep => ({ type: 'wait', duration });
const split = (...lists: (readonly NewStep[])[]): NewStep => ({
  type: 'ab_split',
  variants: lists.map((steps, index) => ({ name: `V${index}`, percentage: 100 / lists.length, steps })),
});
const ids = (steps: readonly Step[]): number[] => stepsWithPaths(steps).map(({ step }) => step.id);

const BEFORE = assignStepIds([send('a'), split([wait('1d'), send('b')], [wait('2d')]), send('c')]);

test('at first steps are numbered in their order, those within a split behind it', () => {
  expect(ids(BEFORE)).toEqual([1, 2, 3, 4, 5, 6]);
});

test.each<[string, NewStep[], number[]]>([
  [
    'nothing changes',
    [send('a'), split([wait('1d'), send('b')], [wait('2d')]), send('c')],
    [1, 2, 3, 4, 5, 6],
  ],
  [
    'a step is edited',
    [send('z'), split([wait('1d'), send('b')], [wait('2d')]), send('c')],
    [1, 2, 3, 4, 5, 6],
  ],
  [
    'a step is edited within a split',
    [send('a'), split([wait('9d'), send('b')], [wait('2d')]), send('c')],
    [1, 2, 3, 4, 5, 6],
  ],
  [
    'a step comes in front of all',
    [wait('5d'), send('a'), split([wait('1d'), send('b')], [wait('2d')]), send('c')],
    [7, 1, 2, 3, 4, 5, 6],
  ],
  ['steps go', [split([wait('1d'), send('b')], [wait('2d')])], [2, 3, 4, 5]],
  ['a step moves out of the split', [send('b'), send('a'), send('c')], [4, 1, 6]],
  ['another type in the place', [wait('7d')], [7]],
])('%s', (_, steps, wanted) => {
  expect(ids(assignStepIds(steps, BEFORE))).toEqual(wanted);
});

test('an id that an earlier version used is not given again', () => {
  const shorter = assignStepIds([send('a')], BEFORE);
  expect(ids(assignStepIds([send('a'), wait('1h')], shorter, highestId(BEFORE)))).toEqual([1, 7]);
});

const leaf = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map(send),
  fc.constantFrom('1h', '2d', '30m').map(wait),
  fc.constant<NewStep>({ type: 'update_contact', set: { first_name: null, seatCount: 3 } }),
);
const { tree } = fc.letrec<{ tree: NewStep[]; step: NewStep }>((tie) => ({
  tree: fc.array(tie('step'), { maxLength: 4 }),
  step: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => split(one, other)),
  ),
}));

test('ids are unique, kept where nothing changes, and never those of other steps', () => {
  fc.assert(
    fc.property(tree, tree, (first, second) => {
      const before = assignStepIds(first);
      const after = assignStepIds(second, before);
      expect(new Set(ids(after)).size).toBe(ids(after).length);
      expect(assignStepIds(first, before)).toEqual(before);
      const known = new Set(ids(before));
      const fresh = ids(after).filter((id) => !known.has(id));
      expect(fresh.every((id) => id > highestId(before))).toBe(true);
      expect(assignStepIds(second, after)).toEqual(after);
    }),
  );
});

test('what is stored is read again; what REST shows has no id', () => {
  fc.assert(
    fc.property(tree, (steps) => {
      const before = assignStepIds(steps);
      expect((JSON.parse(JSON.stringify(before.map(storedStep))) as never[]).map(stepOf)).toEqual(before);
      expect(JSON.stringify(before.map(writtenStep))).not.toContain('"id"');
      expect(before.map(writtenStep)).toEqual(steps.map(writtenStep));
    }),
  );
});
