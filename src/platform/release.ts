/** The version of the running release. */
import { readFileSync } from 'node:fs';

// The same relative path from the source, the build output and the bundle.
const file = new URL('../../package.json', import.meta.url);

export const RELEASE: string = (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
