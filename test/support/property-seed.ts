/**
 * Properties are tried with the same cases in every run, so that a red test says something of the change before it.
 * PROPERTY_SEED tries others: a number, or `random`, as the nightly run does; a failure prints the seed that shows it.
 */
import fc from 'fast-check';

const { PROPERTY_SEED = '20261122' } = process.env;
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: Number(PROPERTY_SEED) });
