import { LINK_TTL_MS, readScreenshot, signScreenshot } from './screenshot-token.js';

const [KEY, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const claim = {
  workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea',
  screenshotId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeeb',
};
const NOW = 1_800_000_000_000;
const token = signScreenshot(claim, KEY, NOW);

test('a token names its picture for an hour, whichever of the keys signed it', () => {
  expect(token).toMatch(/^[\w-]+$/);
  expect(readScreenshot(token, [OTHER, KEY], NOW)).toEqual(claim);
  expect(readScreenshot(token, [KEY], NOW + LINK_TTL_MS - 1)).toEqual(claim);
  expect(readScreenshot(token, [KEY], NOW + LINK_TTL_MS)).toBeUndefined();
  expect(readScreenshot(token, [OTHER], NOW)).toBeUndefined();
});

test('whatever character of it is changed, it names nothing', () => {
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    expect(readScreenshot(changed, [KEY], NOW)).toBeUndefined();
  }
  for (const text of ['', 'A', token.slice(0, -1), `${token}A`, '../etc/passwd'])
    expect(readScreenshot(text, [KEY], NOW)).toBeUndefined();
});
