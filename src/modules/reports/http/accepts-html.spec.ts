import { acceptsHtml } from './accepts-html.js';

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html;q=0', false],
  ['text/html;q=0.5, application/json', false],
  ['text/html, application/json;q=0.5', true],
  ['application/json, text/html', false],
  ['text/html, application/json', true],
  ['text/html;q=many', false],
  [`${'a/b,'.repeat(100_000)}text/html`, false],
])('%j', (accept, expected) => expect(acceptsHtml(accept)).toBe(expected));
