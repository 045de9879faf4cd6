import { linkRequestOf } from './link-request.js';

const ONE_CLICK = { kind: 'unsubscribe', way: 'one_click' };

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['an empty form', new URLSearchParams()],
  ['a mail program', new URLSearchParams('List-Unsubscribe=One-Click')],
  [
    'a mail program, whatever stands beside it',
    new URLSearchParams('action=pause&List-Unsubscribe=One-Click'),
  ],
  ['JSON', { action: 'pause' }],
  ['other fields', new URLSearchParams('topic=news&shown=news')],
  ...['', 'Pause', 'constructor'].map((action): [string, unknown] => [
    `an action that the page does not have (${JSON.stringify(action)})`,
    new URLSearchParams({ action }),
  ]),
])('%s unsubscribes', (_name, form) => expect(linkRequestOf(form)).toEqual(ONE_CLICK));

test('the page unsubscribes under its own name', () => {
  expect(linkRequestOf(new URLSearchParams('action=unsubscribe'))).toEqual({
    kind: 'unsubscribe',
    way: 'page',
  });
});

test.each(['pause', 'resume', 'come_back'])('the page asks for: %s', (kind) => {
  expect(linkRequestOf(new URLSearchParams({ action: kind }))).toEqual({ kind });
});

test('a box that is not ticked is a choice only of a topic that was shown', () => {
  const form = new URLSearchParams('action=choose&shown=news&shown=offers&topic=news&topic=other');
  expect(linkRequestOf(form)).toEqual({
    kind: 'choose',
    chosen: new Map([
      ['news', true],
      ['offers', false],
    ]),
  });
});
