import { conditionHolds, withConditionals } from './conditional-comments.js';

test.each([
  ['mso', true],
  ['!mso', false],
  ['gte mso 9', true],
  ['lt mso 16', false],
  ['lte mso 16', true],
  ['gt mso 15', true],
  ['mso 16', true],
  ['mso 12', false],
  ['IE', false],
  ['(gte mso 9)|(IE)', true],
  ['(mso)&(lt mso 12)', false],
  ['!(IE)', true],
  ['true', true],
  ['nonsense (', false],
  [`${'('.repeat(190)}mso`, false],
])('[if %s] is %s', (condition, expected) => {
  expect(conditionHolds(condition)).toBe(expected);
});

test.each([
  ['a<!--[if mso]>b<![endif]-->c', 'abc'],
  ['a<!--[if !mso]><!-->b<!--<![endif]-->c', 'ac'],
  ['a<!--[if !mso]>-->b<!--<![endif]-->c', 'ac'],
  ['a<![if !mso]>b<![endif]>c', 'ac'],
  ['a<!--[if mso]>b<!--[if IE]>x<![endif]-->c<![endif]-->d', 'abcd'],
  ['a<!--[if IE]>b', 'ab'],
  ['a<![endif]-->b', 'ab'],
])('%s', (html, text) => {
  const reading = withConditionals(html);
  expect(reading).toHaveLength(html.length);
  expect(reading.replaceAll(' ', '')).toBe(text);
});
