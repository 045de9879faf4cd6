/** A source of which each page is read by a new process, as if the previous one had been killed. */
import type { ImportSource } from '../../../src/modules/imports/domain/import-source.js';
import { PlainCalls } from './plain-calls.js';

export interface KilledSource {
  readonly source: ImportSource;
  /** URLs of the downloads. */
  readonly downloaded: string[];
}

/** @param keepsFiles whether downloads survive the process, as in production; otherwise they are deleted. */
export function killedAfterEachPage(source: ImportSource, server: string, keepsFiles: boolean): KilledSource {
  const files = new Map<string, Buffer>();
  const downloaded: string[] = [];
  return {
    downloaded,
    source: {
      ...source,
      async page(credentials, cursor) {
        const calls = new PlainCalls(server, `${downloaded.length}-`);
        // The latest download always survives: the next page reads it.
        for (const [id, file] of files) calls.files.set(id, file);
        const page = await source.page(credentials, cursor, calls);
        if (!keepsFiles && page.records.length > 0) files.clear();
        else for (const [id, file] of calls.files) files.set(id, file);
        downloaded.push(...calls.downloaded);
        return page;
      },
    },
  };
}
