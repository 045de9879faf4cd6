/**
 * Property tests try the same cases in every run, so that a failure points to the change under test. PROPERTY_SEED
 * tries others: a number, or `random`, as in the nightly run. A failure prints its seed.
 */
import fc from 'fast-check';

const { PROPERTY_SEED = '20261122' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
