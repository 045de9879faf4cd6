/** Records of exports, whatever pieces their bytes come in. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import {
  cellsIn,
  headerIn,
  LONGEST_RECORD,
  objectOf,
  type RawRecord,
  recordsIn,
  rowOf,
} from './export-records.js';
import { ianaZoneOf } from './rails-time-zones.js';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

async function read(text: string, isQuoted = true, size = 7, from = 0): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const some of recordsIn(pieces(Buffer.from(text).subarray(from), size), from, isQuoted))
    records.push(...some);
  return records;
}

const texts = (records: readonly RawRecord[]): (string | null)[] => records.map(({ text }) => text);

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb', ['a', 'b']],
  ['\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ['a,"b\nc"\nd', ['a,"b\nc"', 'd']],
  ['a,"b""\n""c"\nd', ['a,"b""\n""c"', 'd']],
  ['5" pipe\nb', ['5" pipe', 'b']],
  ['a,b" "c\nd', ['a,b" "c', 'd']],
])('records of %j', async (text, expected) => {
  for (const size of [1, 2, 3, 1_000]) expect(texts(await read(text, true, size))).toEqual(expected);
});

it('cuts lines of JSON whatever their quotes', async () => {
  expect(texts(await read('{"a":"\\"}\n{"b":1}', false))).toEqual(['{"a":"\\"}', '{"b":1}']);
});

it('passes by what is too long, and a quote that is never closed', async () => {
  const long = 'x'.repeat(LONGEST_RECORD + 1);
  expect(texts(await read(`a\n${long}\nb`, true, 65_536))).toEqual(['a', null, 'b']);
  expect(texts(await read(`a\n"open\n${long}\nb`, true, 65_536))).toEqual(['a', null, 'b']);
});

const CELL = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', ' ', '😀'), maxLength: 6 });

const written = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');

it('reads what another reader reads, from any record on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(CELL, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, size) => {
        const text = written(rows);
        const records = await read(text, true, size);
        const cells = records.map((record) => cellsIn(record.text ?? ''));
        expect(cells).toEqual(rows);
        expect(cells).toEqual(parse(text, { relaxColumnCount: true }));
        for (const [index, { end }] of records.entries())
          expect(texts(await read(text, true, size, end))).toEqual(texts(records.slice(index + 1)));
      },
    ),
  );
});

test.each([
  ['', ['']],
  ['a,,b', ['a', '', 'b']],
  ['"a""b",c', ['a"b', 'c']],
  ['"a"b,c', ['ab', 'c']],
  ['"open,c', ['open,c']],
  ['a,', ['a', '']],
  ['"a",', ['a', '']],
])('cells of %j', (text, expected) => {
  expect(cellsIn(text)).toEqual(expected);
});

it('tells columns of one name apart', () => {
  expect(headerIn('plan, plan ,"x"')).toEqual(['plan', 'plan_2', 'x']);
  expect(rowOf(['a', 'b'], '1')).toEqual({ a: '1', b: '' });
  expect(rowOf(['a'], '1,2')).toBeNull();
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', null],
  ['{', null],
])('the object of %j', (text, expected) => {
  expect(objectOf(text)).toEqual(expected);
});

test.each([
  ['Eastern Time (US & Canada)', 'America/New_York'],
  [' London ', 'Europe/London'],
  ['Europe/Oslo', 'Europe/Oslo'],
  [null, null],
])('the zone of %j is %j', (name, zone) => {
  expect(ianaZoneOf(name)).toBe(zone);
});

test.each([
  'Hawaii',
  'Kyiv',
  'Greenland',
  'Rangoon',
  'Samoa',
  'Astana',
  "Nuku'alofa",
  'Cape Verde Is.',
  'UTC',
])('%s is a zone that there is', (name) => {
  const zone = ianaZoneOf(name) ?? '';
  expect(zone).not.toBe(name === 'UTC' ? '' : name);
  expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow();
});
