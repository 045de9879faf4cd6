import { nextInstance, type Recurrence } from './recurrence.js';

const daily: Recurrence = {
  ...{ frequency: 'daily', dayOfWeek: null, dayOfMonth: null, hour: 9, minute: 0 },
  ...{ timezone: 'Europe/Berlin', endsAt: null, maxInstances: null },
};

test('it ends behind its last moment, and with its last instance', () => {
  const at = new Date('2026-01-15T08:00:00Z');
  expect(nextInstance({ ...daily, maxInstances: 3 }, at, 2)).toEqual(new Date('2026-01-16T08:00:00Z'));
  expect(nextInstance({ ...daily, maxInstances: 3 }, at, 3)).toBeNull();
  expect(nextInstance({ ...daily, endsAt: new Date('2026-01-16T08:00:00Z') }, at, 0)).not.toBeNull();
  expect(nextInstance({ ...daily, endsAt: new Date('2026-01-16T07:59:59Z') }, at, 0)).toBeNull();
});
