/** What an upload is, by its first bytes and by what was seen of all of them. */
import type { DescribedFile } from './import-file.js';

/** Bytes of a file's beginning that are looked at. */
export const LOOKED_AT = 1_048_576;

export interface SeenFile {
  readonly name: string;
  /** The first bytes, up to `LOOKED_AT`. */
  readonly head: Buffer;
  /** In bytes. */
  readonly size: number;
  /** Whether all of it is valid UTF-8. */
  readonly isUtf8: boolean;
}

/** @throws DomainError invalid_field where nothing can be read from it. */
export function describeFile(seen: SeenFile): DescribedFile {
  throw new Error(`Nothing is known of ${seen.name}.`);
}
