import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { repetitions } from '../../../../../test/support/test-scope.js';
import { describeFile } from '../files/describe-file.js';
import type { SourceRecord } from '../source-record.js';
import type { Cursor, SourceCalls } from '../import-source.js';
import { mappingOf } from '../mapping.js';
import { readBatch } from '../read-batch.js';
import { fileSource } from './file.js';

const NOBODY = { appId: null, apiKey: null, extra: {} };
const MEGABYTE = 1_048_576;

/** Bytes that are already available, in pieces of the given size. */
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
  /** Whether each page is read by a new source that only knows the stored cursor. */
  readonly isAnew?: boolean;
  readonly name?: string;
}

async function read(
  bytes: Buffer,
  { piece = MEGABYTE, isAnew = false, name = 'people.csv' }: Reading = {},
): Promise<SourceRecord[]> {
  const seen = { head: bytes.subarray(0, MEGABYTE), size: bytes.length, isUtf8: isUtf8(bytes) };
  const file = { ...describeFile(seen), id: 'file', name, size: bytes.length };
  let source = fileSource(file);
  const calls = callsOn(bytes, piece);
  const records: SourceRecord[] = [];
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
  expect(records.findIndex((record, at) => !('row' in record) || record.row !== at + 1)).toBe(-1);
  return records;
}

/** Fields of readable records, and errors of unreadable ones. */
function fieldsOrErrors(records: readonly SourceRecord[]): unknown[] {
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
    [{ email: 'a@x.es', name: 'A,\r\nna' }, ANA],
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
    [{ ...ANA, name: '"A "n" a"' }],
  ],
  [
    'something behind a quoted cell',
    'email,name\nana@x.es,"A, " na\njose@x.es,José\n',
    [{ ...ANA, name: '"A, " na' }, JOSE],
  ],
  [
    'empty cells, also quoted ones',
    'email,name\nana@x.es,\njose@x.es,""\n',
    [{ email: 'ana@x.es' }, { email: 'jose@x.es' }],
  ],
  ['one column', 'email\nana@x.es\n"jose@x.es"\n', [{ email: 'ana@x.es' }, { email: 'jose@x.es' }]],
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
    'email,name\nana@x.es,Ana\na,b,c\njose@x.es,José\n',
    [ANA, 'The row has 3 cells and the header 2.', JOSE],
  ],
  [
    'rows without the empty cells at their end, as Excel writes them',
    'email,name,city,note\nana@x.es,Ana,Rome,x\njose@x.es,José\r\ncyd@x.es\n\neve@x.es,,Oslo',
    [{ ...ANA, city: 'Rome', note: 'x' }, JOSE, { email: 'cyd@x.es' }, { email: 'eve@x.es', city: 'Oslo' }],
  ],
  [
    'the same with semicolons, in quotation marks and at the end of the file',
    'email;name;city\r\n"ana@x.es";"Ana"\r\n"jose@x.es";José',
    [ANA, JOSE],
  ],
  [
    'blanks before and behind a quotation mark',
    'email, "name"\nana@x.es, "Ana"\n "jose@x.es" ,\t"José"\t\na@x.es,  "A, ""B""\nC"\nb@x.es,"B, C" \n',
    [ANA, JOSE, { email: 'a@x.es', name: 'A, "B"\nC' }, { email: 'b@x.es', name: 'B, C' }],
  ],
  [
    'blanks before quotation marks, between tabs',
    'email\tname\tcity\nana@x.es\t "Ana"\t\njose@x.es\t\t Oslo\n',
    [ANA, { email: 'jose@x.es', city: 'Oslo' }],
  ],
  [
    'padded cells',
    'email , name\n ana@x.es ,  Ana\u00a0\n"jose@x.es "," José "\n \u3000,\u00a0\n',
    [ANA, JOSE, {}],
  ],
  [
    'blank lines between blank lines',
    'email,name\n \n\t \nana@x.es,Ana\n  \n\n \njose@x.es,José\n \n',
    [ANA, JOSE],
  ],
  [
    'a NUL character',
    'email,name\na\0@x.es,A\nana@x.es,Ana\n',
    ['The record contains a NUL character or an unpaired surrogate, which cannot be stored.', ANA],
  ],
  [
    'a quotation mark that is never closed',
    'email,name\na@x.es,"A\nana@x.es,Ana\njose@x.es,José\n',
    ['A quotation mark is not closed.', ANA, JOSE],
  ],
  [
    'a row that never ends at the end',
    'email,name\nana@x.es,Ana\njose@x.es,"Jo',
    [ANA, 'A quotation mark is not closed.'],
  ],
])('CSV: %s', async (_, text, expected) => {
  const bytes = Buffer.from(text);
  expect(fieldsOrErrors(await read(bytes))).toEqual(expected);
  expect(fieldsOrErrors(await read(bytes, { piece: 1 }))).toEqual(expected);
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
  expect(fieldsOrErrors(await read(bytes))).toEqual([JOSE]);
  expect(fieldsOrErrors(await read(bytes, { piece: 1 }))).toEqual([JOSE]);
});

test('a byte that is not UTF-8 makes all of it Latin-1, also at the end of it', async () => {
  const bytes = Buffer.concat([
    Buffer.from('email,name\njose@x.es,José\n'),
    Buffer.from('a@x.es,\xe9\n', 'latin1'),
  ]);
  expect(fieldsOrErrors(await read(bytes))).toEqual([
    { ...JOSE, name: 'JosÃ©' },
    { email: 'a@x.es', name: 'é' },
  ]);
});

test('signs of Windows are read where Latin-1 has none', async () => {
  const bytes = Buffer.concat([Buffer.from('email,name\na@x.es,'), Buffer.from([0x80, 0x92, 0x0a])]);
  expect(fieldsOrErrors(await read(bytes))).toEqual([{ email: 'a@x.es', name: '€’' }]);
});

const NO_JSON = 'The record is not valid JSON.';
const NO_OBJECT = 'The record is not a JSON object.';
const NUL = 'The record contains a NUL character or an unpaired surrogate, which cannot be stored.';
const NO_END =
  'The record is incomplete: a bracket or quotation mark is not closed, it was truncated, or it is too long.';

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
    ['The record contains a key that is not allowed: __proto__ or constructor.prototype.', { a: 2 }],
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
    [{ a: 1 }, { a: 2 }, 'The list is incomplete: the file was truncated.'],
  ],
  ['an item that is cut off', '[{"a":1},{"a":', [{ a: 1 }, NO_END]],
  [
    'something behind the array',
    '[{"a":1}]\n[{"a":2},{"a":3}]',
    [{ a: 1 }, 'Content after the end of the list is ignored.'],
  ],
  [
    'numbers of many digits',
    '[{"a":1.5e3,"b":1e400}]\n',
    ['The record contains a number that is out of range.'],
  ],
])('JSON: %s', async (_, text, expected) => {
  const bytes = Buffer.from(text);
  if (expected.every((one) => typeof one === 'string')) {
    expect(() => describeFile({ head: bytes, size: bytes.length, isUtf8: true })).toThrow();
    return;
  }
  expect(fieldsOrErrors(await read(bytes))).toEqual(expected);
  expect(fieldsOrErrors(await read(bytes, { piece: 1 }))).toEqual(expected);
});

/** Enough rows for several pages. */
const ROWS = repetitions({ short: 3_000, full: 12_000 });
const person = (at: number): string => `u${at},p${at}@example.com,"Name, ${at}"\n`;
const HEADER = 'external_id,email,name\n';

test.each([
  ['CSV', HEADER + Array.from({ length: ROWS }, (_, at) => person(at)).join('')],
  [
    'NDJSON',
    Array.from({ length: ROWS }, (_, at) => `{"external_id":"u${at}","name":"José ${at}"}\n`).join(''),
  ],
  [
    'JSON',
    `[${Array.from({ length: ROWS }, (_, at) => `{"external_id":"u${at}","name":"José ${at}"}`).join(',\n')}]`,
  ],
])('%s is read in pages, and from each of them on as if there had been no other', async (_, text) => {
  const encodings = [Buffer.from(text), Buffer.from(text, 'latin1'), utf16(text, false), utf16(text, true)];
  for (const bytes of encodings) {
    const records = await read(bytes, { piece: 70_001 });
    expect(records).toHaveLength(ROWS);
    const anew = await read(bytes, { piece: 99_999, isAnew: true });
    expect(anew.findIndex((record, at) => JSON.stringify(record) !== JSON.stringify(records[at]))).toBe(-1);
  }
});

const good = (at: number): string => `u${at},p${at}@example.com,x\n`;

/** Far larger than what is kept of a record. */
const HUGE_MEGABYTES = repetitions({ short: 3, full: 12 });
const HUGE = 'x'.repeat(HUGE_MEGABYTES * MEGABYTE);
const TOO_LONG = 'The record has more than 1,048,576 characters.';
const TOO_WIDE = 'The row has more than 16,384 cells.';
const COMMAS = ','.repeat(MEGABYTE - 2);

test.each([
  ['a line of CSV', `${HEADER}${good(1)}u2,${HUGE},y\n${good(3)}`, [TOO_LONG]],
  ['a quoted cell', `${HEADER}${good(1)}u2,"${HUGE}",y\n${good(3)}`, [TOO_LONG]],
  ['the last line', `${HEADER}${good(1)}${good(3)}u2,${HUGE}`, [TOO_LONG]],
  ['a line of commas', `${HEADER}${good(1)}${COMMAS}\n${good(3)}`, [TOO_WIDE]],
  ['a first row of commas', `${HEADER}${COMMAS}\n${good(1)}${good(3)}`, [TOO_WIDE]],
  ['a last row of commas', `${HEADER}${good(1)}${good(3)}${COMMAS}`, [TOO_WIDE]],
  ['a row of 16,385 cells', `${HEADER}${good(1)}${','.repeat(16_384)}\n${good(3)}`, [TOO_WIDE]],
  ['a row of quoted cells', `${HEADER}${good(1)}${'"a\n",'.repeat(20_000)}\n${good(3)}`, [TOO_WIDE]],
  ['commas without end', `${HEADER}${good(1)}${','.repeat(3 * MEGABYTE)}\n${good(3)}`, [TOO_LONG]],
  ['a line of NDJSON', `{"external_id":"u1"}\n{"a":"${HUGE}"}\n{"external_id":"u3"}\n`, [TOO_LONG]],
  ['an item of JSON', `[{"external_id":"u1"},{"a":"${HUGE}"},{"external_id":"u3"}]`, [NO_END]],
])(
  `%s of ${HUGE_MEGABYTES} megabytes costs itself alone, whole or taken up again`,
  async (_, text, problems) => {
    for (const isAnew of [false, true]) {
      const records = await read(Buffer.from(text), { isAnew });
      const problemsIn = records.flatMap((record) => ('detail' in record ? [record.detail] : []));
      expect([...new Set(problemsIn)]).toEqual(problems);
      const ids = records.flatMap((record) =>
        record.kind === 'contact' ? [record.fields['external_id']] : [],
      );
      expect(ids).toEqual(['u1', 'u3']);
    }
  },
);

test('quotation marks that are never closed take no row with them, and none is found twice', async () => {
  // In both cases, together they exceed the maximum length of a record.
  const { length, more } = repetitions({
    short: { length: 5_000, more: 'x'.repeat(220) },
    full: { length: 45_000, more: '' },
  });
  const chunk = Array.from({ length }, (_, at) => more + good(at)).join('');
  const records = await read(Buffer.from(`${HEADER}${`u,"a,x\n${chunk}`.repeat(3)}u,"a,x`), {
    isAnew: true,
  });
  const lost = records.flatMap((record, at) => (record.kind === 'contact' ? [] : [at]));
  expect(lost).toEqual([0, 1, 2, 3].map((time) => time * (length + 1)));
  expect(records).toHaveLength(3 * (length + 1) + 1);
});

test('a record of the most characters is read, and one more than them is none, wherever pieces are cut', async () => {
  const long = (length: number): string => `u2,"x\n${'x'.repeat(length - 10)}",y\n`;
  const text = (length: number): Buffer => Buffer.from(`${HEADER}${good(1)}${long(length)}${good(3)}`);
  for (const piece of [MEGABYTE, 70_001]) {
    const all = await read(text(MEGABYTE + 1), { piece });
    expect(all.map(({ kind }) => kind)).toEqual(['contact', 'contact', 'contact']);
    const [first, second] = await read(text(MEGABYTE + 2), { piece });
    expect([first?.kind, second?.kind]).toEqual(['contact', 'unreadable']);
  }
});

const CELL = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '😀'), maxLength: 6 });

/** The expected value of a cell: quotation marks with blanks after them belong to the cell. */
const plain = (cell: string): string => (/^"([^"]*)"\s+$/.exec(cell)?.[1] ?? cell).trim();

test('CSV is read as it was written but for blanks around cells, in whatever pieces, and from any row on', async () => {
  const written = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  const rows = fc.array(fc.tuple(CELL, CELL, CELL), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (cells, piece) => {
      const lines = cells.map((row) => row.map(written).join(','));
      const text = [HEADER.trim(), ...lines, ''].join('\r\n');
      const names = ['external_id', 'email', 'name'];
      const expected = cells.map((row) =>
        Object.fromEntries(row.map(plain).flatMap((cell, at) => (cell === '' ? [] : [[names[at], cell]]))),
      );
      expect(fieldsOrErrors(await read(Buffer.from(text), { piece, isAnew: true }))).toEqual(expected);
    }),
  );
});

test.each([
  [
    'external_id,email,first_name,last_name,phone',
    ['external_id', 'email', 'first_name', 'last_name', 'phone'],
  ],
  ['Email,PHONE,plan', ['email', 'phone', undefined]],
  ['E-mail Address,First Name,Surname,Mobile', ['email', 'first_name', 'last_name', 'phone']],
  ['Correo electrónico,Nombre,Apellidos', ['email', 'first_name', 'last_name']],
  ['user_id,Time zone,Language,Unsubscribed', ['external_id', 'timezone', 'locale', 'subscription_status']],
  ['email,Mail,id,external_id', ['email', undefined, undefined, 'external_id']],
  ['email,accepts_marketing,opt_out_date', ['email', undefined, 'subscription_status']],
  ['email,is_bounced,DoNotContact,unsub', ['email', undefined, undefined, 'subscription_status']],
  ['email,Subscribed,sms_opt_out,plan', ['email', 'subscription_status', undefined, undefined]],
  ['email,status,unsubscribe_url,blocked_products', ['email', undefined, undefined, undefined]],
  ['Subscription_Status,Unsubscribed', ['subscription_status', undefined]],
])('the columns %s are probably for %j', (header, targets) => {
  const bytes = Buffer.from(`${header}\nx\n`);
  const { columns, suggestedMapping } = describeFile({ head: bytes, size: bytes.length, isUtf8: true });
  expect(columns.map((name) => suggestedMapping[name])).toEqual(targets);
});

test('fields that are named for the opt-out are heard, whatever is mapped, and stay', async () => {
  const text = 'id,Unsubscribed,hard_bounced\na,TRUE,\nb,yes,1\nc,no,0\nd,perhaps,\n';
  const records = await read(Buffer.from(text), { isAnew: true });
  expect(records.map((record) => record.kind === 'contact' && record.optOut)).toEqual([
    ...['unsubscribed', 'bounced', null, null],
  ]);
  expect(records[0]).toMatchObject({ fields: { id: 'a', Unsubscribed: 'TRUE' } });
  const rare = [...Array.from({ length: 20 }, (_, id) => ({ id })), { id: 20, optOut: true }];
  expect((await read(Buffer.from(JSON.stringify(rare)), { isAnew: true })).at(-1)).toMatchObject({
    optOut: 'unsubscribed',
  });
});

test.each([
  ['unsubscribed_at', '2024-05-01T10:00:00Z', 'unsubscribed'],
  ['Opted out of all email', 'true', 'unsubscribed'],
  ['hard_bounce', '1', 'bounced'],
  ['accepts_marketing', 'false', 'unsubscribed'],
  ['status', 'unsubscribed', 'unsubscribed'],
  ['status', 'pending', null],
  ['subscribed_at', '2024-05-01', null],
  ['sms_opt_out', 'true', null],
  ['unsubscribe_url', 'https://example.test/u', null],
])('unmapped and by the suggested mapping, %s: %s is %s', async (name, value, expected) => {
  const bytes = Buffer.from(`external_id,${name}\nu1,${value}\n`);
  const { suggestedMapping } = describeFile({ head: bytes, size: bytes.length, isUtf8: true });
  const records = await read(bytes);
  expect(records[0]).toMatchObject({ fields: { [name]: value } });
  for (const fieldMapping of [{}, suggestedMapping]) {
    const mapping = mappingOf({ external_id: 'external_id' }, { fieldMapping, tags: [] });
    const { contacts } = await readBatch(records, mapping);
    expect(contacts.map(({ optOut }) => optOut)).toEqual([expected]);
  }
});

test.each<[name: string, text: string, expected: readonly (string | null)[]]>([
  [
    'HubSpot',
    'Email,Portal Bounce,Portal Unsubscribe,Portal Spam Report,Global Bounce,Marketing Information\n' +
      'a@x.es,FALSE,TRUE,FALSE,FALSE,FALSE\nb@x.es,TRUE,FALSE,FALSE,FALSE,FALSE\nc@x.es,FALSE,FALSE,TRUE,FALSE,FALSE\n' +
      'd@x.es,Unknown user,FALSE,FALSE,FALSE,FALSE\ne@x.es,FALSE,FALSE,FALSE,TRUE,FALSE\nf@x.es,FALSE,FALSE,FALSE,FALSE,TRUE\n',
    ['unsubscribed', 'bounced', 'complained', 'bounced', 'bounced', null],
  ],
  [
    'Mailchimp, cleaned',
    'Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CLEAN_TIME,CLEAN_CAMPAIGN_TITLE\na@x.es,A,2,2020-01-02 03:04:05,2021-01-02 03:04:05,May\n',
    ['bounced'],
  ],
  [
    'Mailchimp, unsubscribed',
    'Email Address,UNSUB_TIME,UNSUB_CAMPAIGN_ID,UNSUB_REASON\na@x.es,2021-01-02 03:04:05,1a2b,NORMAL\n',
    ['unsubscribed'],
  ],
  [
    'Substack',
    'email,active_subscription,email_disabled,created_at\na@x.es,false,true,2024-01-01T00:00:00Z\nb@x.es,false,false,2024-01-01T00:00:00Z\n',
    ['unsubscribed', null],
  ],
  [
    'Ghost',
    'id,email,name,note,subscribed_to_emails,complimentary_plan\n1,a@x.es,A,,false,false\n2,b@x.es,B,,true,false\n',
    ['unsubscribed', null],
  ],
  ['MailerLite', 'Subscriber,Status,Unsubscribed\na@x.es,unsubscribed,2024-01-02\n', ['unsubscribed']],
  [
    'ActiveCampaign',
    'Email,Status\na@x.es,Bounced\nb@x.es,Unsubscribed\nc@x.es,Active\n',
    ['bounced', 'unsubscribed', null],
  ],
  [
    'Brevo',
    'EMAIL,emailBlacklisted,smsBlacklisted\na@x.es,true,false\nb@x.es,false,true\n',
    ['unsubscribed', null],
  ],
  [
    'Constant Contact',
    'Email address,Email Status\na@x.es,Unsubscribed\nb@x.es,No Permissions Set\nc@x.es,Active\nd@x.es,Awaiting Confirmation\n',
    ['unsubscribed', 'unsubscribed', null, 'unsubscribed'],
  ],
  ['MailUp', 'Email,OptOut_Date\na@x.es,20110122T111244\n', ['unsubscribed']],
  ['Klaviyo', 'Email,Email Suppressions\na@x.es,"UNSUBSCRIBE, HARD_BOUNCE"\nb@x.es,[]\n', ['bounced', null]],
  [
    'a bounce status',
    'email,bounce_status\na@x.es,hard\nb@x.es,soft\nc@x.es,Hard bounce: no mailbox\n',
    ['bounced', null, 'bounced'],
  ],
])('the opt-outs of an export are heard unmapped: %s', async (_, text, expected) => {
  const records = await read(Buffer.from(text));
  expect(records.map((record) => record.kind === 'contact' && record.optOut)).toEqual(expected);
});

test.each([
  ['cleaned_members_export_1a2b3c.csv', 'bounced'],
  ['cleaned_email_audience_export_1a2b3c.csv', 'bounced'],
  ['unsubscribed_members_export_1a2b3c.csv', 'unsubscribed'],
  ['nonsubscribed_email_audience_export_1a2b.csv', 'unsubscribed'],
  ['subscribed_members_export_1a2b3c.csv', null],
  ['suppression_bounces.csv', 'bounced'],
  ['suppression_spam_reports (1).csv', 'complained'],
  ['suppression_unsubscribes.csv', 'unsubscribed'],
  ['suppression_blocks.csv', null],
  ['cleaned_data.csv', null],
  ['people_unsubscribed_members_export.csv', null],
])('of everybody in %s it is heard: %s', async (name, expected) => {
  const [record] = await read(Buffer.from('Email Address,created\na@x.es,1700000000\n'), { name });
  expect(record).toMatchObject({ kind: 'contact', optOut: expected });
});

const OWN_CSV =
  'id,external_id,email,phone,first_name,last_name,product_type,subscription_status,timezone,locale,tags,properties,created_at,updated_at';
const TIMES = '2026-11-27T13:29:24.358Z,2026-11-27T13:29:24.358Z';
const MOVED = {
  ...{ externalId: 'u1', email: 'a@x.es', optOut: null },
  changes: {
    ...{ email: 'a@x.es', phone: '+43 1', firstName: '=Ana', productType: 'pro', timezone: 'Europe/Vienna' },
    ...{ locale: 'de-AT', addTags: ['vip', '=t'] },
    properties: { plan: 'gold', n: 7, list: [], unsubscribed: true, at: { x: null } },
  },
};
const PROPERTIES = '{"plan":"gold","n":7,"list":[],"gone":null,"unsubscribed":true,"at":{"x":null}}';

test.each([
  [
    'CSV',
    `${OWN_CSV}\n0190,u1,a@x.es,'+43 1,'=Ana,,pro,subscribed,Europe/Vienna,de-AT,"[""vip"",""=t""]","${PROPERTIES.replaceAll('"', '""')}",${TIMES}\n`,
  ],
  [
    'JSON',
    `[{"id":"0190","external_id":"u1","email":"a@x.es","phone":"+43 1","first_name":"=Ana","last_name":null,"product_type":"pro","subscription_status":"subscribed","timezone":"Europe/Vienna","locale":"de-AT","properties":${PROPERTIES},"tags":["vip","=t"],"created_at":"2026-11-27T13:29:24.358Z","updated_at":"2026-11-27T13:29:24.358Z"}]`,
  ],
])("an export of Waypost's own is read as it was written: %s", async (_, text) => {
  const bytes = Buffer.from(text);
  const { columns, ...facts } = describeFile({ head: bytes, size: bytes.length, isUtf8: true });
  const { fields } = fileSource({ ...facts, columns, id: 'file', name: 'contacts', size: bytes.length });
  const records = await read(bytes, { isAnew: true });
  const batch = await readBatch(records, mappingOf(fields, { fieldMapping: {}, tags: ['moved'] }));
  expect(batch.errors).toEqual([]);
  expect(batch.contacts).toEqual([
    {
      ...MOVED,
      row: 1,
      isByEmail: false,
      mistyped: 0,
      changes: { ...MOVED.changes, addTags: ['moved', 'vip', '=t'] },
    },
  ]);
});

test('a cell of an own export that is no JSON any more is an error of its row, and who refuses is heard', async () => {
  const row = (properties: string, tags: string): string =>
    `0190,u1,a@x.es,,,,,unsubscribed,,,${tags},${properties},${TIMES}\n`;
  const text = `${OWN_CSV}\n${row('{plan: gold}', '[]')}${row('{}', 'vip')}${row('[]', '')}${row('', '')}`;
  const records = await read(Buffer.from(text));
  const batch = await readBatch(
    records,
    mappingOf(
      { external_id: 'external_id', subscription_status: 'subscription_status' },
      { fieldMapping: {}, tags: [] },
    ),
  );
  expect(batch.errors).toMatchObject([
    {
      row: 1,
      externalId: 'u1',
      code: 'invalid_row',
      detail: 'The cell properties does not contain a JSON object.',
    },
    {
      row: 2,
      externalId: 'u1',
      code: 'invalid_row',
      detail: 'The cell tags does not contain a JSON list of strings.',
    },
    {
      row: 3,
      externalId: 'u1',
      code: 'invalid_row',
      detail: 'The cell properties does not contain a JSON object.',
    },
  ]);
  expect(batch.rejectedOptOuts).toHaveLength(3);
  expect(batch.contacts).toMatchObject([{ externalId: 'u1', optOut: 'unsubscribed' }]);
});

test.each<[string, object, object]>([
  [
    'properties and tags as in the API',
    { properties: { plan: 'gold', none: null, empty: '' }, tags: ['vip'], plan: 'silver', id: 'x' },
    { properties: { plan: 'silver', id: 'x' }, addTags: ['vip'] },
  ],
  ['tags that are none', { tags: ['vip', 1] }, { properties: { tags: ['vip', 1] } }],
  ['properties that are a text', { properties: '{"a":1}' }, { properties: { properties: '{"a":1}' } }],
])('JSON: %s', async (_, members, changes) => {
  const records = await read(Buffer.from(JSON.stringify([{ external_id: 'u1', ...members }])));
  const mapping = mappingOf({ external_id: 'external_id' }, { fieldMapping: {}, tags: [] });
  expect((await readBatch(records, mapping)).contacts[0]?.changes).toEqual(changes);
});

test('a refusal within properties of JSON is heard, and a job may map what stands for them', async () => {
  const item = { external_id: 'u1', properties: { unsubscribed: true }, tags: ['a'], id: 7 };
  const records = await read(Buffer.from(JSON.stringify([item])));
  expect(records).toMatchObject([{ optOut: 'unsubscribed' }]);
  const fieldMapping = { id: 'product_type' } as const;
  const mapping = mappingOf({ external_id: 'external_id' }, { fieldMapping, tags: [] });
  expect((await readBatch(records, mapping)).contacts[0]?.changes).toMatchObject({ productType: '7' });
});

test.each([
  ["'+43 660", '+43 660'],
  ["'=1+1", '=1+1'],
  ["'-1", '-1'],
  ["'@a", '@a'],
  ["'＝1", '＝1'],
  ["''+1", "'+1"],
  ["'s Gravenhage", "'s Gravenhage"],
  ["O'Neil", "O'Neil"],
])('the guard of exports against formulas is taken off: %s', async (cell, expected) => {
  expect(fieldsOrErrors(await read(Buffer.from(`email,name\na@x.es,${cell}\n`)))).toEqual([
    { email: 'a@x.es', name: expected },
  ]);
});

const OPT_OUT_HEADER = 'external_id,email,unsubscribed,notes';

const DEEP = `${'['.repeat(90)}${']'.repeat(90)}`;
const U1 = {
  rejectedOptOuts: [{ externalId: 'u1', email: 'a@x.es', optOut: 'unsubscribed' }],
  suppressions: [],
};
const U1_ALONE = { ...U1, rejectedOptOuts: [{ externalId: 'u1', email: null, optOut: 'unsubscribed' }] };
const NO_OPT_OUTS = { rejectedOptOuts: [], suppressions: [] };

test.each([
  ['CSV', 'u1', `${OPT_OUT_HEADER}\nu1,a@x.es,true,a\0b\n`, U1],
  ['CSV, the address', 'u1', `${OPT_OUT_HEADER}\nu1,a\0@x.es,true,b\n`, U1_ALONE],
  [
    'CSV, the identifier',
    'a@x.es',
    `${OPT_OUT_HEADER}\nu\0,a@x.es,true,b\n`,
    { rejectedOptOuts: [], suppressions: [{ email: 'a@x.es', address: 'a@x.es', reason: 'unsubscribed' }] },
  ],
  ['CSV, of whom mail is welcome', 'u1', `${OPT_OUT_HEADER}\nu1,a@x.es,false,a\0b\n`, NO_OPT_OUTS],
  ['CSV, cells that cannot be told apart', null, `${OPT_OUT_HEADER}\nu1,a@x.es,true,a\0b,c\n`, NO_OPT_OUTS],
  ['JSON: NUL', 'u1', '[{"external_id":"u1","email":"a@x.es","unsubscribed":true,"n":"\\u0000"}]', U1],
  ['JSON: a number', 'u1', '[{"external_id":"u1","email":"a@x.es","unsubscribed":true,"n":1e999}]', U1],
  ['JSON: a key', 'u1', '[{"external_id":"u1","__proto__":{},"email":"a@x.es","unsubscribed":true}]', U1],
  ['JSON: depth', 'u1', `[{"external_id":"u1","n":${DEEP},"email":"a@x.es","unsubscribed":true}]`, U1],
  ['NDJSON: half', 'u1', '{"external_id":"u1","n":"\\ud800","email":"a@x.es","opt_out":1}', U1],
  ['NDJSON: a bare NUL', 'u1', '{"external_id":"u1","n":"a\0b",\t"email":"a@x.es","opt_out":1}', U1],
  ['NDJSON: a bare tab', 'u1', '{"external_id":"u1","n":"a\tb","email":"a@x.es","opt_out":1}', U1],
  ['NDJSON: no JSON', null, '{"external_id":"u1","n":"a\0b","email":"a@x.es","opt_out":1,}', NO_OPT_OUTS],
])('who refuses is heard of a record that cannot be stored. %s', async (_, externalId, text, expected) => {
  const good = text.startsWith('{') ? '{"external_id":"u0"}\n' : '';
  const list = text.startsWith('[') ? text.replace('[', '[{"external_id":"u0"},') : good + text;
  const records = await read(Buffer.from(list), { isAnew: true });
  const own = { external_id: 'external_id', email: 'email' } as const;
  const batch = await readBatch(records, mappingOf(own, { fieldMapping: {}, tags: [] }));
  expect(batch.errors).toMatchObject([{ externalId, code: 'invalid_row' }]);
  expect(batch.contacts.map((contact) => contact.externalId)).toEqual(
    text.startsWith(OPT_OUT_HEADER) ? [] : ['u0'],
  );
  expect(batch).toMatchObject(expected);
});

test('five names and the status map of themselves, and no other', async () => {
  const file = { id: 'f', name: 'f.csv', size: 1, format: 'csv', encoding: 'utf-8', separator: ',' } as const;
  const columns = [
    'external_id',
    'Email',
    'first_name',
    'last_name',
    'phone',
    'Surname',
    'locale',
    'Subscription_Status',
  ];
  expect(fileSource({ ...file, columns }).fields).toEqual({
    ...{ external_id: 'external_id', Email: 'email', first_name: 'first_name', last_name: 'last_name' },
    ...{ phone: 'phone', Subscription_Status: 'subscription_status' },
  });
});

test('a file that is gone ends the job in words', async () => {
  const file = {
    id: 'f',
    name: 'f.csv',
    size: 9,
    format: 'csv',
    encoding: 'utf-8',
    separator: ',',
    columns: ['email'],
  } as const;
  const reading = fileSource(file).page(NOBODY, null, callsOn(Buffer.alloc(0), MEGABYTE));
  await expect(reading).rejects.toMatchObject({ code: 'file_unreadable' });
});
