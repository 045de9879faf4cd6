/** Colors and their contrast, compared with values from WCAG's definition. */
import { BLACK, contrastOf, hexOf, readAttributeColour, readColour, blend, WHITE } from './colour.js';

test.each<[string, string | null]>([
  ['#fff', '#ffffff'],
  ['#A1B2C3', '#a1b2c3'],
  ['#11223344', '#112233'],
  [' Red ', '#ff0000'],
  ['rebeccapurple', '#663399'],
  ['rgb(1, 2, 3)', '#010203'],
  ['rgb(10% 20% 30% / 50%)', '#1a334d'],
  ['rgba(300,-5,0,.5)', '#ff0000'],
  ['hsl(120, 100%, 25%)', '#008000'],
  ['hsl(-120deg 100% 50%)', '#0000ff'],
  ['currentcolor', null],
  ['var(--x)', null],
  ['linear-gradient(red, blue)', null],
  ['#12', null],
  ['rgb(1,2)', null],
  ['constructor', null],
])('%s', (text, hex) => {
  const colour = readColour(text);
  expect(colour && hexOf(colour)).toBe(hex);
});

test('an attribute may lack the hash', () => {
  expect(readAttributeColour('336699')).toEqual(readColour('#336699'));
});

test('contrast', () => {
  const grey = readColour('#767676');
  expect(contrastOf(BLACK, WHITE)).toBeCloseTo(21, 5);
  expect(grey && contrastOf(grey, WHITE)).toBeCloseTo(4.54, 2);
  expect(blend({ ...BLACK, alpha: 0.5 }, WHITE)).toMatchObject({ red: 127.5, alpha: 1 });
});
