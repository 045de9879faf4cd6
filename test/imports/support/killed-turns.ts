/** A source of which every page is read by a process of its own, as if the one before had been killed. */
import type { ImportSource } from '../../../src/modules/imports/domain/import-source.js';
import { PlainCalls } from './plain-calls.js';

export interface KilledTurns {
  readonly source: ImportSource;
  /** Addresses that something was downloaded from. */
  readonly downloaded: string[];
}

/** @param keepsFiles whether downloads outlive the process, as they do; else they are thrown away. */
export function killedAfterEachPage(source: ImportSource, server: string, keepsFiles: boolean): KilledTurns {
  const files = new Map<string, Buffer>();
  const downloaded: string[] = [];
  return {
    downloaded,
    source: {
      ...source,
      async page(credentials, cursor) {
        const calls = new PlainCalls(server, `${downloaded.length}-`);
        // What has just been downloaded is there in any case: it is read by the next page.
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
