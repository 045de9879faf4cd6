import { describeFile } from '../files/describe-file.js';
import type { FileFormatInfo } from '../files/import-file.js';
import type { SourceRecord } from '../source-record.js';
import type { Cursor, SourceCalls } from '../import-source.js';
import { fileSource } from './file.js';

const NOBODY = { appId: null, apiKey: null, extra: {} };
const CSV: FileFormatInfo = { format: 'csv', encoding: 'utf-8', separator: ',', columns: ['u', 'b'] };
const NDJSON: FileFormatInfo = { format: 'ndjson', encoding: 'utf-8', separator: null, columns: [] };
const JSON_LIST: FileFormatInfo = { ...NDJSON, format: 'json' };
const HEADER = 'u,b\n';
/** Characters of a piece. */
const PIECE = 65_536;

afterEach(() => {
  jest.restoreAllMocks();
});

interface ReadResult {
  readonly records: readonly SourceRecord[];
  /** How often other work got the thread. */
  readonly timeSlices: number;
  /** Errors that were created. */
  readonly errors: number;
}

/** Reads all pages of a file whose bytes are available immediately, so that waiting for them yields no turns. */
async function read(facts: FileFormatInfo, text: string): Promise<ReadResult> {
  const bytes = Buffer.from(text);
  const calls = {
    read: async function* (_: string, offset: number) {
      if (offset < bytes.length) yield await Promise.resolve(bytes.subarray(offset));
    },
  } as unknown as SourceCalls;
  const source = fileSource({ ...facts, id: 'file', name: 'people.csv', size: bytes.length });
  const made = jest.spyOn(Error, 'captureStackTrace');
  let timeSlices = 0;
  let isReading = true;
  const turn = (): void => {
    timeSlices++;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  const records: SourceRecord[] = [];
  for (let cursor: Cursor | null | undefined; cursor !== null;) {
    const page = await source.page(NOBODY, cursor ?? null, calls);
    records.push(...page.records);
    cursor = page.next;
  }
  isReading = false;
  return { records, timeSlices, errors: made.mock.calls.length };
}

/** Counts how many strings above some length are converted to bytes from now on: once for each piece. */
function piecesTaken(): () => number {
  const made = jest.spyOn(Buffer, 'from') as unknown as { readonly mock: { readonly calls: unknown[][] } };
  return () => made.mock.calls.filter(([text]) => typeof text === 'string' && text.length > 256).length;
}

const GOOD = { u: 'u', b: 'b' };

test.each([
  ['as in Unix', '\n'],
  ['as in Windows', '\r\n'],
  ['as in Windows, of blanks', '  \r\n'],
])('a run of empty lines that end %s costs no row, no error and few pieces', async (_, line) => {
  const pieces = piecesTaken();
  const run = line.repeat(400_000);
  const { records, errors } = await read(CSV, `${HEADER}u,b\n${run}u,"a${line.repeat(3)}b"\n${run}u,b\n`);
  expect(records.map((record) => ('fields' in record ? record.fields : null))).toEqual([
    GOOD,
    { u: 'u', b: `a${line.repeat(3)}b` },
    GOOD,
  ]);
  expect(errors).toBe(0);
  expect(pieces()).toBeGreaterThan(0);
  expect(pieces()).toBeLessThan(50);
});

test('rows of another length than the first are no errors to whoever takes them apart', async () => {
  const rows = 40_000;
  const { records, timeSlices, errors } = await read(CSV, `${HEADER}u,b\n${'x,y,z\n'.repeat(rows)}u,b\n`);
  expect(records).toHaveLength(rows + 2);
  expect(records[rows]).toMatchObject({ detail: 'The row has 3 cells and the header 2.' });
  expect(records.at(-1)).toMatchObject({ row: rows + 2, fields: GOOD });
  expect(errors).toBe(0);
  expect(timeSlices).toBeGreaterThanOrEqual(rows / 1_000);
});

test.each([
  ['rows of CSV', CSV, `${HEADER}${'u,b\n'.repeat(30_000)}`, 30],
  ['quoted cells without a text', CSV, `${HEADER}u,b\n${'""\n'.repeat(60_000)}`, 60],
  ['long rows of CSV', CSV, `${HEADER}${`u,${'b'.repeat(9_000)}\n`.repeat(150)}`, 150 / 8],
  ['empty lines of NDJSON', NDJSON, `{"u":"u"}\n${'\n'.repeat(60_000)}`, 60],
  ['records of NDJSON', NDJSON, `{"u":"${'u'.repeat(9_000)}"}\n`.repeat(150), 150 / 8],
  ['items of JSON', JSON_LIST, `[${`{"u":"${'u'.repeat(9_000)}"},`.repeat(150)}{"u":"u"}]`, 150 / 8],
])('%s leave the thread to others between two pieces', async (_, facts, text, least) => {
  const { timeSlices } = await read(facts, text);
  expect(timeSlices).toBeGreaterThanOrEqual(Math.floor(least));
});

test.each([
  ['NDJSON', NDJSON, (item: string) => `${item}\n{"u":"u"}\n`],
  ['JSON', JSON_LIST, (item: string) => `[${item},{"u":"u"}]`],
])('brackets without end in a record of %s are counted, not parsed', async (_, facts, around) => {
  const parsed = jest.spyOn(JSON, 'parse');
  const deep = `{"u":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
  const { records } = await read(facts, around(deep));
  expect(records[0]).toMatchObject({ detail: 'The record is nested deeper than 64 levels.' });
  expect(records[1]).toMatchObject({ fields: { u: 'u' } });
  expect(parsed.mock.calls.map(([text]) => text.length).filter((length) => length > PIECE)).toEqual([]);
});

test.each([
  ['empty lines', '\n'],
  ['blanks', ' \n'],
  ['quoted cells without a text', '""\n'],
  ['rows of another length', 'x,y,z\n'],
])('a file of %s is described by few pieces', (_, line) => {
  const made = jest.spyOn(Error, 'captureStackTrace');
  const pieces = piecesTaken();
  const head = Buffer.from(`${HEADER}u,b\n${line.repeat(1_048_576)}`).subarray(0, 1_048_576);
  expect(describeFile({ head, size: 3 * head.length, isUtf8: true })).toMatchObject({
    columns: ['u', 'b'],
    sample: [GOOD],
  });
  expect(made.mock.calls).toEqual([]);
  expect(pieces()).toBeGreaterThan(0);
  // Once per separator, and once for the sample records.
  expect(pieces()).toBeLessThanOrEqual(5 * 64);
});
