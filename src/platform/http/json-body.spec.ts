import { holdsMoreValues, MAX_VALUES, MAX_ITEM_VALUES } from './json-body.js';

const MEGABYTE = 1024 * 1024;
const moreIn = (json: string, most = MAX_VALUES): boolean => holdsMoreValues(Buffer.from(json), most);
const list = (item: string, count: number): string => `[${Array<string>(count).fill(item).join(',')}]`;

test.each([
  ['lists in each other', '['.repeat(2.5 * MEGABYTE) + ']'.repeat(2.5 * MEGABYTE)],
  ['lists beside each other', list('[]', MEGABYTE)],
  ['objects', list('{}', MEGABYTE)],
  ['numbers', list('0', 2 * MEGABYTE)],
  ['texts', list('"a"', MEGABYTE)],
  ['members', `{${Array.from({ length: 400_000 }, (_, i) => `"${i.toString(36)}":1`).join(',')}}`],
])('too many %s are seen in five megabytes', (_, json) => {
  expect(json.length).toBeLessThanOrEqual(5 * MEGABYTE);
  expect(moreIn(json)).toBe(true);
  expect(moreIn(json, MAX_ITEM_VALUES)).toBe(true);
});

test('as many as there may be are not too many, and one more is', () => {
  expect(moreIn(list('0', MAX_VALUES))).toBe(false);
  expect(moreIn(list('0', MAX_VALUES + 1))).toBe(true);
  expect(moreIn(list('{}', 49_999))).toBe(false);
  expect(moreIn(list('{}', 50_000))).toBe(true);
});

test('what stands in texts is not counted, whatever is escaped there', () => {
  const markup = JSON.stringify({ html: `<p style=\\"a\\\\">[{,"\\`.repeat(200_000), last: '\\' });
  expect(markup.length).toBeGreaterThan(4 * MEGABYTE);
  expect(moreIn(markup)).toBe(false);
  expect(moreIn(`{"a":"${'\\\\'.repeat(50_000)}","b":${list('0', MAX_VALUES)}}`)).toBe(true);
});

test('a thousand contacts with all their tags and many properties are within the bound', () => {
  const properties = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`p${i}`, i]));
  const tags = Array.from({ length: 100 }, (_, i) => `t${i}`);
  const contact = {
    external_id: 'u',
    email: 'a@b.c',
    phone: '1',
    first_name: 'a',
    last_name: 'b',
    tags,
    properties,
  };
  const json = JSON.stringify({ contacts: Array(1_000).fill(contact) });
  expect(json.length).toBeLessThanOrEqual(5 * MEGABYTE);
  expect(moreIn(json, MAX_ITEM_VALUES)).toBe(false);
});

test('what is cut off in a text has an end', () => {
  expect(moreIn(`"${'x'.repeat(60_000)}`)).toBe(false);
  expect(moreIn(`"${'\\"'.repeat(60_000)}`)).toBe(false);
});
