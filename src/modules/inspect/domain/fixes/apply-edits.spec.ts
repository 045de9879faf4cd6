import { applyEdits } from './apply-edits.js';

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

function edit(start: number, end: number, text: string): { start: number; end: number; text: string } {
  return { start, end, text };
}
