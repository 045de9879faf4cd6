import { EMAIL_ORIGINS, tripOf } from './email-origin.js';

test.each(EMAIL_ORIGINS)('only a message of a trip has a trip and a step: %s', (origin) =>
  expect(tripOf({ origin, originId: 'an id', originStep: 3 })).toEqual(
    origin === 'trip' ? { tripId: 'an id', step: 3 } : undefined,
  ),
);
