/** Builds Zip archives, both valid and invalid: written byte by byte, so that each field can be wrong. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ArchiveFile {
  readonly name: string;
  readonly contents: string | Buffer;
  /** Stored without compression; deflated by default. */
  readonly isStored?: boolean;
  /** Values that the directory states instead of the correct ones. */
  readonly said?: { readonly size?: number; readonly crc32?: number; readonly method?: number };
}

export function zipOf(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, contents, isStored, said } of files) {
    const bytes = Buffer.from(contents as string);
    const folded = isStored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(said?.method ?? (isStored ? 0 : 8), 4);
    fields.writeUInt32LE(said?.crc32 ?? crc32(bytes), 10);
    fields.writeUInt32LE(folded.length, 14);
    fields.writeUInt32LE(said?.size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), folded]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end]);
}
