import { withCurrentHours } from './send-hours-settings.js';

const WINDOW = { sendWindowEnabled: true, sendWindowStart: '09:00', sendWindowEnd: '17:00' };
const CAPPED = { ignoreFrequencyCapping: false };

test.each([
  ['a step that is gone', WINDOW, undefined, WINDOW],
  ['a step that says nothing', { ...WINDOW, ...CAPPED }, null, CAPPED],
  [
    'a step with other hours',
    { ...WINDOW, ...CAPPED },
    { sendWindowEnabled: false },
    { ...CAPPED, sendWindowEnabled: false },
  ],
  ['a step that has got hours', undefined, { ...WINDOW, sendToUnsubscribed: true }, WINDOW],
  ['a step without any, then as now', undefined, { sendToUnsubscribed: true }, undefined],
  ['what is not about hours', { ignoreDnd: false }, { ignoreDnd: true, ...CAPPED }, { ignoreDnd: true }],
])('%s', (_, own, present, expected) => {
  expect(withCurrentHours(own, present)).toEqual(expected);
});
