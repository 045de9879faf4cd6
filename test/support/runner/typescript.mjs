/** Lets Node run the TypeScript sources as they are, in this thread and in those it starts. Used by `--import`. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
