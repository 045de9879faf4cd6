import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describeFile } from '../files/describe-file.js';
import { Utf8Check } from '../files/utf8-check.js';
import type { ForeignRecord } from '../foreign-contact.js';
import type { Cursor, SourceCalls } from '../import-source.js';
import { fileSource } from './file.js';

const NOBODY = { appId: null, apiKey: null, extra: {} };
const MEGABYTE = 1_048_576;

/** Bytes that are there already, in pieces of a size. */
function callsOn(bytes: Buffer, piece: number): SourceCalls {
  return {
    read: async function* (_: string, offset: number) {
      for (let at = offset; at < bytes.length; at += piece)
        yield await Promise.resolve(bytes.subarray(at, at + piece));
    },
  } as unknown as SourceCalls;
}

interface Reading {
  /** Bytes of a piece. */
  readonly piece?: number;
  /** Whether each page is read by a source that knows nothing but the stored cursor. */
  readonly isAnew?: boolean;
}

async function read(
  bytes: Buffer,
  { piece = MEGABYTE, isAnew = false }: Reading = {},
): Promise<ForeignRecord[]> {
  const check = new Utf8Check();
  check.add(bytes);
  const seen = { head: bytes.subarray(0, MEGABYTE), size: bytes.length, isUtf8: check.end() };
  const file = { ...(await describeFile(seen)), id: 'file', size: bytes.length };
  let source = fileSource(file);
  const calls = callsOn(bytes, piece);
  const records: ForeignRecord[] = [];
  let cursor: Cursor | null = null;
  let share = 0;
  do {
    const page = await source.page(NOBODY, cursor, calls);
    records.push(...page.records);
    cursor = page.next === null ? null : (JSON.parse(JSON.stringify(page.next)) as Cursor);
    expect(page.share ?? 0).toBeGreaterThanOrEqual(share);
    share = page.share ?? 0;
    if (isAnew) source = fileSource(file);
  } while (cursor !== null);
  expect(records.map((record) => ('row' in record ? record.row : 0))).toEqual(records.map((_, at) => at + 1));
  return records;
}

/** Fields of what can be read, and what is said of what cannot. */
function told(records: readonly ForeignRecord[]): unknown[] {
  return records.map((record) =>
    record.kind === 'contact' ? record.fields : 'detail' in record ? record.detail : '',
  );
}

const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

const ANA = { email: 'ana@x.es', name: 'Ana' };
const JOSE = { email: 'jose@x.es', name: 'José' };

test.each([
  ['lines that end with a line feed', 'email,name\nana@x.es,Ana\njose@x.es,José\n', [ANA, JOSE]],
  ['no line break at the end', 'email,name\nana@x.es,Ana\njose@x.es,José', [ANA, JOSE]],
  ['lines that end as in Windows', 'email,name\r\nana@x.es,Ana\r\njose@x.es,José\r\n', [ANA, JOSE]],
  ['lines that end as in old Macs', 'email,name\rana@x.es,Ana\rjose@x.es,José\r', [ANA, JOSE]],
  ['empty lines', '\n\nemail,name\n\nana@x.es,Ana\n  \n\r\njose@x.es,José\n\n', [ANA, JOSE]],
  ['semicolons', 'email;name\nana@x.es;Ana\njose@x.es;José\n', [ANA, JOSE]],
  ['semicolons, and commas in cells', 'email;name\nana@x.es;A, na\n', [{ ...ANA, name: 'A, na' }]],
  ['tabs', 'email\tname\nana@x.es\tAna\njose@x.es\tJosé\n', [ANA, JOSE]],
  ['bars', 'email|name\nana@x.es|Ana\n', [ANA]],
  ['what Excel says of the separator', 'sep=;\r\nemail;name\r\nana@x.es;Ana\r\n', [ANA]],
  ['quoted cells', '"email","name"\n"ana@x.es","Ana"\r\n', [ANA]],
  [
    'quoted separators and line breaks',
    'email,name\na@x.es,"A,\r\nna\n"\nana@x.es,Ana\n',
    [{ email: 'a@x.es', name: 'A,\r\nna\n' }, ANA],
  ],
  ['quotation marks in quoted cells', 'email,name\nana@x.es,"A ""n"" a"\n', [{ ...ANA, name: 'A "n" a' }]],
  [
    'quotation marks in plain cells',
    'email,name\nana@x.es,5" screen\njose@x.es,José\n',
    [{ ...ANA, name: '5" screen' }, JOSE],
  ],
  [
    'a quotation mark in the midst of a quoted cell',
    'email,name\nana@x.es,"A "n" a"\n',
    [{ ...ANA, name: 'A "n" a' }],
  ],
  [
    'empty cells, also quoted ones',
    'email,name\nana@x.es,\njose@x.es,""\n',
    [{ email: 'ana@x.es' }, { email: 'jose@x.es' }],
  ],
  ['one column', 'email\nana@x.es\n"jose@x.es"\n', [{ email: 'ana@x.es' }, { email: 'jose@x.es' }]],
  ['a header alone', 'email,name\n', []],
  [
    'a header that occurs twice',
    'plan,plan,email,plan\na,b,ana@x.es,c\n',
    [{ plan: 'a', plan_2: 'b', email: 'ana@x.es', plan_3: 'c' }],
  ],
  [
    'a header without names',
    'email,,__proto__\nana@x.es,b,c\n',
    [{ email: 'ana@x.es', column_2: 'b', column_3: 'c' }],
  ],
  [
    'numbers and truths, which stay text',
    'email,n,t\nana@x.es,0012,true\n',
    [{ email: 'ana@x.es', n: '0012', t: 'true' }],
  ],
  ['rows that are filled up', 'email,name\nana@x.es,Ana,,\n', [ANA]],
  [
    'rows of another length',
    'email,name\nana@x.es\nana@x.es,Ana\na,b,c\n',
    ['The row has 1 cells and the header 2.', ANA, 'The row has 3 cells and the header 2.'],
  ],
  [
    'a NUL character',
    'email,name\na\0@x.es,A\nana@x.es,Ana\n',
    ['The record holds a NUL character or half of a character, which cannot be stored.', ANA],
  ],
  [
    'a quotation mark that is never closed',
    'email,name\na@x.es,"A\nana@x.es,Ana\njose@x.es,José\n',
    ['A quotation mark is never closed.', ANA, JOSE],
  ],
  [
    'a row that never ends at the end',
    'email,name\nana@x.es,Ana\njose@x.es,"Jo',
    [ANA, 'A quotation mark is never closed.'],
  ],
])('CSV: %s', async (_, text, expected) => {
  const bytes = Buffer.from(text);
  expect(told(await read(bytes))).toEqual(expected);
  expect(told(await read(bytes, { piece: 1 }))).toEqual(expected);
});

test.each([
  ['UTF-8', Buffer.from('email,name\njose@x.es,José\n')],
  ['UTF-8 with a mark', Buffer.from('\ufeffemail,name\njose@x.es,José\n')],
  ['Latin-1', Buffer.from('email,name\njose@x.es,José\n', 'latin1')],
  ['UTF-16, small end first', utf16('email,name\njose@x.es,José\n', false)],
  ['UTF-16, big end first', utf16('email,name\njose@x.es,José\n', true)],
  ['UTF-16 without a mark', Buffer.from('email,name\njose@x.es,José\n', 'utf16le')],
  ['UTF-16 and JSON', utf16('[{"email":"jose@x.es","name":"José"}]', true)],
  ['UTF-8 with a mark, and JSON', Buffer.from('\ufeff[{"email":"jose@x.es","name":"José"}]')],
  ['UTF-8 with a mark, and NDJSON', Buffer.from('\ufeff{"email":"jose@x.es","name":"José"}\n')],
  ['Latin-1 and NDJSON', Buffer.from('{"email":"jose@x.es","name":"José"}\n', 'latin1')],
])('encoding: %s', async (_, bytes) => {
  expect(told(await read(bytes))).toEqual([JOSE]);
  expect(told(await read(bytes, { piece: 1 }))).toEqual([JOSE]);
});

test('a byte that is not UTF-8 makes all of it Latin-1, also at the end of it', async () => {
  const bytes = Buffer.concat([
    Buffer.from('email,name\njose@x.es,José\n'),
    Buffer.from('a@x.es,\xe9\n', 'latin1'),
  ]);
  expect(told(await read(bytes))).toEqual([
    { ...JOSE, name: 'JosÃ©' },
    { email: 'a@x.es', name: 'é' },
  ]);
});

test('signs of Windows are read where Latin-1 has none', async () => {
  const bytes = Buffer.concat([Buffer.from('email,name\na@x.es,'), Buffer.from([0x80, 0x92, 0x0a])]);
  expect(told(await read(bytes))).toEqual([{ email: 'a@x.es', name: '€’' }]);
});

const NO_JSON = 'The record is not valid JSON.';
const NO_OBJECT = 'The record is no JSON object.';
const NUL = 'The record holds a NUL character or half of a character, which cannot be stored.';
const NO_END =
  'The record does not end: one of its brackets or quotation marks is not closed, it was cut off, or it is too long.';

test.each([
  ['an array', '[{"email":"ana@x.es","name":"Ana"},{"email":"jose@x.es","name":"José"}]', [ANA, JOSE]],
  [
    'an array over lines',
    '[\r\n  {\n"email": "ana@x.es",\n"name": "Ana" } ,\n\n { "email": "jose@x.es", "name": "José"}\n]\n',
    [ANA, JOSE],
  ],
  ['NDJSON', '{"email":"ana@x.es","name":"Ana"}\n\n{"email":"jose@x.es","name":"José"}', [ANA, JOSE]],
  [
    'NDJSON of Windows',
    '{"email":"ana@x.es","name":"Ana"}\r\n{"email":"jose@x.es","name":"José"}\r\n',
    [ANA, JOSE],
  ],
  [
    'objects over lines, without an array',
    '{\n"email": "ana@x.es",\n"name":"Ana"}\n{"email":"jose@x.es","name":"José"}',
    [ANA, JOSE],
  ],
  [
    'brackets and quotation marks in texts',
    '[{"a":"]}, {\\"[{"},{"a":"\\\\"},{"a":"\\u005d"}]',
    [{ a: ']}, {"[{' }, { a: '\\' }, { a: ']' }],
  ],
  [
    'kinds of values',
    '[{"a":1,"b":true,"c":null,"d":"","e":[],"f":{},"g":[1,{"h":2}]}]',
    [{ a: 1, b: true, g: [1, { h: 2 }] }],
  ],
  ['members that stand twice', '[{"a":1,"a":2}]', [{ a: 2 }]],
  ['unicode', '[{"a":"\u2028😀","b":"\\ud83d\\ude00"}]', [{ a: '\u2028😀', b: '😀' }]],
  [
    'what cannot be stored',
    '[{"a":"x\\u0000"},{"a":"\\ud800"},{"a":1},{"\\u0000":1},{"a":"\\\\u0000"}]',
    [NUL, NUL, { a: 1 }, NUL, { a: '\\u0000' }],
  ],
  ['a bare NUL', '{"a":1}\n{"a":"\0"}\n{"a":2}\n', [{ a: 1 }, NO_JSON, { a: 2 }]],
  [
    'keys that poison prototypes',
    '[{"a":1,"__proto__":{"b":2}},{"a":2}]',
    ['The record holds a key that is not accepted: __proto__ or constructor.prototype.', { a: 2 }],
  ],
  [
    'items that are no objects',
    '[1,"a,b",null,[{"a":1}],{"a":1},true]',
    [...[NO_OBJECT, NO_OBJECT, NO_OBJECT, NO_OBJECT], { a: 1 }, NO_OBJECT],
  ],
  ['items that are no JSON', '[{"a":1},{"a":},{a:2},{"a":3}]', [{ a: 1 }, NO_JSON, NO_JSON, { a: 3 }]],
  ['lines that are no JSON', '{"a":1}\n{"a":\n,\n{"a":2}\n', [{ a: 1 }, NO_JSON, NO_JSON, { a: 2 }]],
  [
    'an item that is not closed',
    '[{"a":1},{"a":{"b":2},{"a":3},{"a":4}]',
    [{ a: 1 }, NO_END, { a: 3 }, { a: 4 }],
  ],
  ['a text that is not closed', '[{"a":1},{"a":"b},{"a":3},{"a":4}]', [{ a: 1 }, NO_END, { a: 3 }, { a: 4 }]],
  [
    'an array that is cut off',
    '[{"a":1},{"a":2}',
    [{ a: 1 }, { a: 2 }, 'The list does not end: the file was cut off.'],
  ],
  ['an item that is cut off', '[{"a":1},{"a":', [{ a: 1 }, NO_END]],
  [
    'something behind the array',
    '[{"a":1}]\n[{"a":2},{"a":3}]',
    [{ a: 1 }, 'What stands behind the end of the list is not read.'],
  ],
  [
    'numbers of many digits',
    '[{"a":1.5e3,"b":1e400}]\n',
    ['The record holds a number that is out of range.'],
  ],
])('JSON: %s', async (_, text, expected) => {
  const bytes = Buffer.from(text);
  const whole = await describeFile({ head: bytes, size: bytes.length, isUtf8: true }).catch(() => undefined);
  if (!whole) return expect(expected.every((one) => typeof one === 'string')).toBe(true);
  expect(told(await read(bytes))).toEqual(expected);
  expect(told(await read(bytes, { piece: 1 }))).toEqual(expected);
});
