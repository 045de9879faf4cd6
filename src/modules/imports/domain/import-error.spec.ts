import { errorsFile } from './import-error.js';

const error = { number: 1, row: 3, externalId: 'u3', code: 'invalid_email', detail: 'email: is no address' };

test('a header, and a line for each error', () => {
  expect(errorsFile([error, { ...error, row: 9, externalId: null }])).toBe(
    'row,external_id,code,detail\r\n3,u3,invalid_email,email: is no address\r\n9,,invalid_email,email: is no address\r\n',
  );
  expect(errorsFile([])).toBe('row,external_id,code,detail\r\n');
});

test.each([
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\tcmd', "'\tcmd"],
  ['\rcmd', `"'\rcmd"`],
  ['a,b', '"a,b"'],
  ['a\nb', '"a\nb"'],
  ['a=b', 'a=b'],
])('%j is a text to a spreadsheet', (externalId, cell) => {
  expect(errorsFile([{ ...error, externalId }])).toContain(`\r\n3,${cell},invalid_email,`);
});
