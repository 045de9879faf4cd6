/** Tests which cells of a CSV line are escaped against formula injection. */
import { csvLine } from './csv-line.js';

test.each(['=1+1', '+1', '-1', '@a', '\t1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])('%j is guarded', (text) => {
  expect(csvLine([text])).toBe(`'${text}\r\n`);
});

test.each(['\r=1', '\r1'])('%j is guarded and quoted', (text) => {
  expect(csvLine([text])).toBe(`"'${text}"\r\n`);
});

test.each(['a=1', '1+1', 'ー', '–1', '—', '−1', '', ' =1'])('%j stays', (text) => {
  expect(csvLine([text])).toBe(`${text}\r\n`);
});
