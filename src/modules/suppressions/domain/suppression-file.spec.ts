import { readSuppressionFile, SUPPRESSION_HEADER, suppressionLines } from './suppression-file.js';
import type { Suppression } from './suppression.js';

const write = (rows: readonly Suppression[]) => SUPPRESSION_HEADER + suppressionLines(rows);
const read = (csv: string) => readSuppressionFile(csv, 5);

test('what other services export is read as it is', () => {
  expect(
    read(
      '\ufeffReason,"Email_Address",origin,SINCE,note\r\n' +
        'HardBounce,ada@x.test,list,2026-03-02T09:00:00Z,"said ""no"", twice"\r\n' +
        '\r\n' +
        ',bob@x.test,,never,\n' +
        'Spam Complaint,cy@x.test,"two\nlines",,',
    ),
  ).toEqual({
    rows: [
      {
        email: 'ada@x.test',
        reason: 'hard_bounce',
        since: new Date('2026-03-02T09:00:00Z'),
        note: 'said "no", twice',
      },
      { email: 'bob@x.test', reason: 'manual', since: undefined, note: null },
      { email: 'cy@x.test', reason: 'complaint', since: undefined, note: null },
    ],
    refused: 0,
    errors: [],
  });
});

test('lines that say nothing are told of by their number, and cost the others nothing', () => {
  const { rows, errors } = read(
    'email,reason\nnobody,\n"a@x.test\n",manual\nb@x.test,wish\nc@x.test,manual\n',
  );
  expect(rows.map(({ email }) => email)).toEqual(['a@x.test', 'c@x.test']);
  expect(errors).toEqual([
    { line: 2, message: 'is no email address' },
    { line: 5, message: 'has no known reason' },
  ]);
});

test('every refused line is counted, and the first are told of', () => {
  const { rows, refused, errors } = readSuppressionFile(`email\n${'nobody\n'.repeat(250)}a@x.test\n`, 1_000);
  expect([rows.length, refused, errors.length]).toEqual([1, 250, 100]);
});

test('a reason that is the name of what every object has is none', () => {
  expect(read('email,reason\na@x.test,constructor\nb@x.test,__proto__\n')).toMatchObject({
    rows: [],
    refused: 2,
  });
});

test('a note is cut between characters, and a long cell is read', () => {
  const note = `${'x'.repeat(499)}😀`;
  expect(read(`email,note\na@x.test,${note}`).rows[0]?.note).toBe('x'.repeat(499));
  expect(read(`email,note\na@x.test,"${'x'.repeat(40_000_000)}"`).rows[0]?.note).toBe('x'.repeat(500));
});

test.each(["'=1+1", "''@x", '=1', "it's", "'quoted'"])('a note %j comes back as it was', (note) => {
  const row = { address: 'a@x.test', reason: 'manual', since: new Date(0), note } as Suppression;
  expect(read(write([row])).rows[0]?.note).toBe(note);
});

test.each([
  ['', 'a column called email'],
  ['name\nada', 'a column called email'],
  ['email\n"ada@x.test', 'no CSV on line 2'],
  ['email\nada"@x.test', 'no CSV on line 2'],
  [`email\n${'a@x.test\n'.repeat(6)}`, 'at most 5 rows'],
])('refuses %p', (csv, words) => {
  expect(() => read(csv)).toThrow(words);
});

test('what is written is read again, and runs in no spreadsheet', () => {
  const row: Suppression = {
    id: '1',
    address: "=cmd|'/c calc'!a1@x.test",
    reason: 'manual',
    since: new Date('2026-03-02T09:00:00.000Z'),
    by: 'm',
    emailLogId: null,
    note: '@sum(a1), "quoted"\n+1',
    removedAt: null,
    history: [],
  };
  const csv = write([row, { ...row, address: null }, { ...row, address: '+ada@x.test', note: null }]);
  expect(csv).toBe(
    'email,reason,since,note\r\n' +
      `'=cmd|'/c calc'!a1@x.test,manual,2026-03-02T09:00:00.000Z,"'@sum(a1), ""quoted""\n+1"\r\n` +
      `'+ada@x.test,manual,2026-03-02T09:00:00.000Z,\r\n`,
  );
  expect(read(csv).rows.at(-1)).toMatchObject({ email: '+ada@x.test', note: null });
});
