import { RenderedSource } from './rendered-source.js';

const placeOf = (html: string): string => {
  const source = new RenderedSource(html, [{ rendered: 0, source: 0, isText: true }], html);
  const { at, until } = source.rangeOf(0);
  return html.slice(at, until);
};

test.each([
  ['<p>a</p>b', '<p>a</p>'],
  ['<p title=">">a</p>b', '<p title=">">a</p>'],
  ["<p title='<\"'>a</p>b", "<p title='<\"'>a</p>"],
  ['<p><p>a</p></p>', '<p>'],
  ['<img alt=x>y', '<img alt=x>'],
  ['<p title="a>b', '<'],
  ['<p title=a<b>c', '<'],
  ['text', 't'],
  ['', ''],
])('the element at the beginning of %s', (html, element) => {
  expect(placeOf(html)).toBe(element);
});

test.each([
  ['letters', 'x'.repeat(19_000)],
  ['quotes', `"x"x`.repeat(4_000)],
])('a tag of many %s that does not end is read once', (_name, inside) => {
  expect(placeOf(`<p title=${inside}<y>`)).toBe('<');
});
