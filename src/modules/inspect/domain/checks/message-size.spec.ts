/** Gmail's limit is told with the figure. */
import { checkSize, GMAIL_CLIPS_AT } from './message-size.js';

test.each<[number, string[]]>([
  [1, []],
  [GMAIL_CLIPS_AT * 0.9, []],
  [Math.ceil(GMAIL_CLIPS_AT * 0.9) + 1, ['size_near_limit']],
  [GMAIL_CLIPS_AT, ['size_near_limit']],
  [GMAIL_CLIPS_AT + 1, ['size_clipped']],
])('%d bytes', (size, expected) => {
  expect(checkSize('x'.repeat(size)).map(({ rule }) => rule)).toEqual(expected);
});

test('counts bytes and names them', () => {
  expect(checkSize('é'.repeat(60_000))[0]?.message).toContain('117.2 KB');
});
