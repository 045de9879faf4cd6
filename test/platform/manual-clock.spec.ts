/** Tests share a process, and with it the order of ids. */
import { earliestId, uuidv7 } from '../../src/kernel/uuid.js';
import { ManualClock, MINUTE } from '../support/clock.js';

test.each([1_000, MINUTE - 1, MINUTE, 3 * MINUTE])(
  'ids carry the time of the clock, after an earlier clock that was %d ms ahead',
  (ahead) => {
    const earlier = new ManualClock();
    earlier.wind(ahead);
    uuidv7(earlier.now().getTime());
    const clock = new ManualClock();
    const id = uuidv7(clock.now().getTime());
    expect(id.slice(0, 13)).toBe(earliestId(clock.now()).slice(0, 13));
  },
);
