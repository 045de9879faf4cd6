/**
 * Lets worker threads that tests start run the sources as they are, as Jest lets the tests: an import of `x.js` that
 * is not there means `x.ts`. Given to Node by bin/test.mjs (`--import`); the main thread is Jest's own business.
 */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) register('./typescript-hooks.mjs', import.meta.url);
