import { BEGINNING, checkpointIn, furthered, storedCheckpoint, type Standing } from './checkpoint.js';

const START: Standing = {
  ...{ imported: 0, failed: 0, total: null, percentComplete: 0, createdContacts: 0, updatedContacts: 0 },
  ...{ unsubscribed: 0, suppressed: 0, errorsKept: 0 },
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
  expect(furthered(before, done, extent)).toEqual(expected);
});

test('a checkpoint is read as it was stored', () => {
  const checkpoint = { at: { page: 3 }, isRead: false, came: 7, hasSuppressions: true };
  expect(checkpointIn(storedCheckpoint(checkpoint))).toEqual(checkpoint);
  expect(checkpointIn(null)).toEqual(BEGINNING);
});
