import { MAX_BATCH_BYTES, fittingCount } from './byte-size.js';

const HALF = MAX_BATCH_BYTES / 2;
const weights = new Map([
  ['half', HALF],
  ['other', HALF],
  ['small', 1],
  ['huge', 2 * MAX_BATCH_BYTES],
]);

test.each<[string, (string | string[] | undefined)[], number]>([
  ['nothing', [], 0],
  ['all that come to the bound', ['half', 'other'], 2],
  ['what goes beyond it, no more', ['half', 'other', 'small', 'half'], 2],
  ['one that is too large alone', ['huge', 'small'], 1],
  ['one that is too large, not behind others', ['small', 'huge'], 1],
  ['what several rows need, once', ['half', 'half', 'half', 'other'], 4],
  ['rows that need several', [['small', 'half'], ['half', 'other'], 'small'], 1],
  [
    'rows that need several, some of them read already',
    [['half', 'unknown'], ['half', 'half'], [], ['other']],
    4,
  ],
  [
    'rows that need nothing read, and ids without a weight',
    [undefined, 'half', undefined, 'unknown', 'other'],
    5,
  ],
])('fits: %s', (_, ids, count) => expect(fittingCount(ids, weights)).toBe(count));
