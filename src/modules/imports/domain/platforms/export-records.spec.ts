/** Records of exports, wherever their bytes are cut. */
import { jsonText } from '../../../../kernel/json-text.js';
import type { SourceCalls } from '../import-source.js';
import { type ExportPosition, readExportPage } from './export-reading.js';
import { type ExportLine, MAX_RECORD_BYTES, linesIn, objectOf } from './export-records.js';
import { flawIn } from '../storable-part.js';
import { ianaZoneOf } from './rails-time-zones.js';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

async function read(text: string, size = 7, from = 0): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const some of linesIn(pieces(Buffer.from(text).subarray(from), size), from)) lines.push(...some);
  return lines;
}

const texts = (lines: readonly ExportLine[]): (string | null)[] => lines.map(({ text }) => text);

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb', ['a', 'b']],
  ['\ufeffa\n\ufeffb', ['a', '\ufeffb']],
  ['{"a":"\\"}\n{"b":1}', ['{"a":"\\"}', '{"b":1}']],
])('lines of %j, and those from each of them on', async (text, expected) => {
  for (const size of [1, 2, 3, 1_000]) {
    const lines = await read(text, size);
    expect(texts(lines)).toEqual(expected);
    for (const [index, { end }] of lines.entries())
      expect(texts(await read(text, size, end))).toEqual(expected.slice(index + 1));
  }
});

it('passes by what is too long', async () => {
  const long = 'x'.repeat(MAX_RECORD_BYTES + 1);
  expect(texts(await read(`a\n${long}\nb`, 65_536))).toEqual(['a', null, 'b']);
});

/** A download of these bytes, in pieces of the given size. */
function callsOn(bytes: Buffer, size: number): SourceCalls {
  return {
    signal: new AbortController().signal,
    sizeOf: () => Promise.resolve(bytes.length),
    read: (_: string, offset: number) => pieces(bytes.subarray(offset), size),
  } as unknown as SourceCalls;
}

/** The records of an export's page from a position on. */
async function rows(bytes: Buffer, place: ExportPosition, size: number): Promise<unknown> {
  const download = { fileId: 'file', size: bytes.length };
  const page = await readExportPage(callsOn(bytes, size), download, 'csv', place);
  expect(page.isLast).toBe(true);
  return page.records;
}

const ROW = { a: '1', b: '2' };

test.each([
  ['a header alone', 'a,b\n', []],
  ['a mark, and lines of Windows', '\ufeffa,b\r\n1,2\r\n', [ROW]],
  ['empty lines', '\n\na,b\n\n1,2\n\n', [ROW]],
  ['quoted cells', 'a,b\n"1\n,""é""",2\n1,2', [{ a: '1\n,"é"', b: '2' }, ROW]],
  ['quotation marks in the midst of cells', 'a,b\n5" pipe,x" "y\n', [{ a: '5" pipe', b: 'x" "y' }]],
  ['cells that say nothing', 'a,b\n1,\n1,2,,\n', [{ a: '1', b: '' }, ROW]],
  ['rows of another length', 'a,b\n1\n1,2,3\n1,2\n', [null, null, ROW]],
  ['columns of one name', 'a, a ,"b"\n1,2,3\n', [{ a: '1', a_2: '2', b: '3' }]],
  ['a quotation mark that is never closed', 'a,b\n1,2\n"1,2\n1,2\n', [ROW, null, ROW]],
  ['what is too long', `a,b\n1,2\n1,${'x'.repeat(3 * MAX_RECORD_BYTES)}\n1,2\n`, [ROW, null, ROW]],
])('CSV: %s', async (_, text, expected) => {
  for (const size of text.length > 1_000 ? [70_001] : [1, 2, 3, 1_000])
    expect(await rows(Buffer.from(text), { part: 0, offset: 0 }, size)).toEqual(expected);
});

it('goes on behind any page of CSV, also where bytes are no UTF-8', async () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `${at},x\xff"é\n`);
  const bytes = Buffer.from(`a,b\n${lines.join('')}`, 'latin1');
  const download = { fileId: 'file', size: bytes.length };
  let place: ExportPosition = { part: 0, offset: 0 };
  const read: unknown[] = [];
  for (let isLast = false; !isLast;) {
    const page = await readExportPage(callsOn(bytes, 4_099), download, 'csv', place);
    read.push(...page.records.map((record) => record?.a));
    ({ place, isLast } = page);
  }
  expect(read).toEqual(lines.map((_, at) => String(at)));
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', null],
  ['{', null],
])('the object of %j', (text, expected) => {
  expect(objectOf(text)).toEqual(expected);
  expect(flawIn(objectOf(text))).toBeUndefined();
});

test.each([
  [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"b":1}`, 'is nested deeper than 64 levels'],
  ['{"a":1e400,"b":1}', 'contains a number that is out of range'],
])('an object that cannot be stored is the part that can', (text, flaw) => {
  expect(objectOf(text)).toMatchObject({ b: 1 });
  expect(flawIn(objectOf(text))).toBe(flaw);
});

it('keeps every digit of a number', () => {
  const text = '{"a":12345678901234567890,"b":1.5}';
  expect(jsonText(objectOf(text))).toBe(text);
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
