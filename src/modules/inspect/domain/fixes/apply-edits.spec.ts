import { applyEdits, compatibleFixes } from './apply-edits.js';

test.each([
  ['nothing', [], 'abcdef'],
  ['in any order', [edit(4, 5, 'E'), edit(0, 1, 'A')], 'AbcdEf'],
  ['insertions', [edit(0, 0, '<'), edit(6, 6, '>')], '<abcdef>'],
  ['the same twice', [edit(1, 1, 'x'), edit(1, 1, 'x')], 'axbcdef'],
  ['two insertions at a place', [edit(1, 1, 'x'), edit(1, 1, 'y')], 'axybcdef'],
  ['those that overlap', [edit(1, 4, '-'), edit(2, 5, '+')], 'a-ef'],
  ['what reaches beyond the end', [edit(5, 9, '-'), edit(3, 2, '-')], 'abcdef'],
])('%s', (_name, edits, expected) => {
  expect(applyEdits('abcdef', edits)).toBe(expected);
});

test.each([
  ['apart', [edit(0, 1, '-')], [edit(1, 2, '+')], ['a', 'b']],
  ['overlapping', [edit(0, 2, '-')], [edit(1, 3, '+')], ['a']],
  ['the same place otherwise', [edit(0, 2, '-')], [edit(0, 2, '+')], ['a']],
  ['the same', [edit(0, 2, '-')], [edit(0, 2, '-'), edit(4, 4, '+')], ['a', 'b']],
  ['insertions at one place', [edit(1, 1, '-')], [edit(1, 1, '+')], ['a', 'b']],
  ['an insertion in what goes', [edit(0, 3, '')], [edit(1, 1, '+')], ['a']],
  ['an insertion beside what goes', [edit(1, 3, '')], [edit(3, 3, '+'), edit(1, 1, '+')], ['a', 'b']],
  ['beyond the end', [edit(5, 9, '')], [edit(1, 1, '+')], ['b']],
])('fixes: %s', (_name, first, second, expected) => {
  const fitting = compatibleFixes('abcdef', [
    { id: 'a', edits: first },
    { id: 'b', edits: second },
  ]);
  expect(fitting.map(({ id }) => id)).toEqual(expected);
});

function edit(start: number, end: number, text: string): { start: number; end: number; text: string } {
  return { start, end, text };
}
