/** Lets Node run the TypeScript sources directly, in this thread and in the threads it starts. Used by `--import`. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
