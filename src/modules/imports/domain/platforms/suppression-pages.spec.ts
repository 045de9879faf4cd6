/** Pages of addresses: which answers mean an empty list, which a page of one, and which neither. */
import { SourceFailure } from '../import-source.js';
import type { PlatformAnswer } from './platform-answer.js';
import { pageOfAddresses } from './suppression-pages.js';

const LIMIT = 30;

const says = (status: number, value?: unknown): Promise<PlatformAnswer> =>
  Promise.resolve({ status, value, headers: {}, bytes: 0 });
const refused = (): Promise<PlatformAnswer> =>
  Promise.reject(new SourceFailure('invalid_credentials', 'The platform rejects the credentials.'));
const emails = (count: number): object => ({
  emails: Array.from({ length: count }, (_, index) => ({ email: `${index}@example.com` })),
});
const page = (asked: Promise<PlatformAnswer>, offset: number) =>
  pageOfAddresses(asked, 'emails', { reason: 'bounced', offset, limit: LIMIT });

test('a full page leads on, a little before its end, and a short one is the last', async () => {
  expect(await page(says(201, emails(LIMIT)), 60)).toMatchObject({ next: 70 });
  expect(await page(says(200, emails(LIMIT - 1)), 60)).toMatchObject({ next: null });
  expect((await page(says(200, emails(2)), 0)).suppressions).toEqual([
    { kind: 'suppression', email: '0@example.com', reason: 'bounced' },
    { kind: 'suppression', email: '1@example.com', reason: 'bounced' },
  ]);
});

test.each<[string, () => Promise<PlatformAnswer>]>([
  ['may not be read by the key', refused],
  ['the platform does not have', () => says(404)],
  ['the plan does not have', () => says(402)],
  ['is written as null', () => says(200, { emails: null })],
])('a list that %s is empty', async (_name, asked) => {
  expect(await page(asked(), 0)).toEqual({ suppressions: [], next: null });
});

test.each<[string, () => Promise<PlatformAnswer>, string]>([
  ['is refused to the key', refused, 'invalid_credentials'],
  ['is not there', () => says(404), 'platform_unavailable'],
  ['is not on the plan', () => says(402), 'platform_unavailable'],
  ['is null', () => says(200, { emails: null }), 'platform_unavailable'],
])('a list that %s in its midst fails the job', async (_name, asked, code) => {
  await expect(page(asked(), 10)).rejects.toMatchObject({ name: 'SourceFailure', code });
});

test.each<[string, () => Promise<PlatformAnswer>]>([
  ['another status of 4xx', () => says(400, {})],
  ['no list', () => says(200, { message: 'success' })],
  ['a list that is none', () => says(200, { emails: { '0': {} } })],
  ['no object', () => says(200, [])],
])('%s fails the job wherever it comes', async (_name, asked) => {
  for (const offset of [0, 10])
    await expect(page(asked(), offset)).rejects.toMatchObject({ code: 'platform_unavailable' });
});

test('a list without end fails the job', async () => {
  await expect(page(says(200, emails(LIMIT)), 10_000_000)).rejects.toMatchObject({
    code: 'platform_unavailable',
  });
  expect(await page(says(200, emails(1)), 10_000_000)).toMatchObject({ next: null });
});
