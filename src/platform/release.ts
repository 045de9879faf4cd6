/** The release that runs. */
import { readFileSync } from 'node:fs';

// The same place from the source, from what is compiled and from the bundle.
const file = new URL('../../package.json', import.meta.url);

export const RELEASE: string = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
