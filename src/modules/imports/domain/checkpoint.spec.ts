import {
  START_CHECKPOINT,
  readCheckpoint,
  checkpointForAccounts,
  advanceProgress,
  storedCheckpoint,
  totalOf,
  type ImportState,
} from './checkpoint.js';

const START: ImportState = {
  ...{ imported: 0, failed: 0, total: null, percentComplete: 0, createdContacts: 0, updatedContacts: 0 },
  ...{ unsubscribed: 0, suppressed: 0, mistyped: 0, errorsKept: 0, rowsKept: 0 },
};

test.each([
  ['of a total', START, 50, { total: 200 }, { total: 200, percentComplete: 25 }],
  ['of a total said before', { ...START, total: 200 }, 50, {}, { total: 200, percentComplete: 25 }],
  ['a share', START, 50, { share: 0.123456 }, { total: null, percentComplete: 12.3 }],
  ['nothing is known', START, 50, {}, { total: null, percentComplete: 0 }],
  [
    'it never falls',
    { ...START, percentComplete: 40 },
    50,
    { total: 500 },
    { total: 500, percentComplete: 40 },
  ],
  ['all but the end', START, 200, { total: 200 }, { total: 200, percentComplete: 99.9 }],
  ['more than was said', START, 300, { total: 200 }, { total: 300, percentComplete: 99.9 }],
  ['nobody is there', START, 0, { total: 0 }, { total: 0, percentComplete: 0 }],
])('how far a job is: %s', (_, before, done, extent, expected) => {
  expect(advanceProgress(before, done, extent)).toEqual(expected);
});

test('a checkpoint is read as it was stored', () => {
  const checkpoint = { at: { page: 3 }, isRead: false, came: 7, hasSuppressions: true, account: 'digest' };
  expect(readCheckpoint(storedCheckpoint(checkpoint))).toEqual(checkpoint);
  expect(readCheckpoint(null)).toEqual(START_CHECKPOINT);
});

test.each([
  ['the same account goes on', 'one', ['one'], { page: 3 }, 'one'],
  ['the same one under a key that is not the first any more', 'one', ['new', 'one'], { page: 3 }, 'new'],
  ['another one begins anew', 'one', ['other'], null, 'other'],
  ['a file goes on', null, [], { page: 3 }, null],
  ['the first one is kept', null, ['one'], { page: 3 }, 'one'],
])('where a job goes on: %s', (_, account, accounts, at, kept) => {
  const before = { at: { page: 3 }, isRead: true, came: 7, hasSuppressions: true, account };
  const isRead = at !== null;
  expect(checkpointForAccounts(before, accounts)).toEqual({ ...before, at, isRead, account: kept });
});

test.each([
  ['nothing is known', 'queued', { imported: 0, failed: 0, total: null, percentComplete: 0 }, 0],
  ['no share is known', 'running', { imported: 7, failed: 1, total: null, percentComplete: 0 }, 8],
  ['by its share', 'running', { imported: 9, failed: 1, total: null, percentComplete: 12.5 }, 80],
  ['as the source says', 'running', { imported: 9, failed: 1, total: 90, percentComplete: 11.1 }, 90],
  ['at the end', 'completed', { imported: 9, failed: 1, total: null, percentComplete: 100 }, 10],
  ['of one that failed', 'failed', { imported: 9, failed: 1, total: null, percentComplete: 50 }, 20],
  [
    'of one that was cancelled',
    'cancelled',
    { imported: 9, failed: 1, total: 90, percentComplete: 11.1 },
    90,
  ],
] as const)('records in all: %s', (_, status, progress, total) => {
  expect(totalOf({ status, progress })).toBe(total);
});
