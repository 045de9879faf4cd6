/**
 * Exports contacts, section 4.10. PostgreSQL produces the file, and it is streamed at the client's pace, so a million
 * contacts need no more memory than a hundred.
 */
import { Injectable } from '@nestjs/common';
import { pipeline, Transform, type Readable } from 'node:stream';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { ExportFormat } from '../domain/contact.js';
import { ContactExportRepository, type ContactCondition } from '../persistence/contact-export.repository.js';

@Injectable()
export class ContactExportService {
  constructor(private readonly contacts: ContactExportRepository) {}

  /**
   * The contacts that are not deleted, oldest first, as one file.
   * @param condition a segment's condition that selects contacts; without it all are exported.
   */
  async stream(scope: TenantScope, format: ExportFormat, condition?: ContactCondition): Promise<Readable> {
    if (format === 'csv') return this.contacts.csv(scope, condition);
    return pipeline(await this.contacts.jsonLines(scope, condition), new JsonList(), () => undefined);
  }
}

const NEWLINE = 0x0a;

/** Turns lines of JSON into one JSON array. A record contains no line break, because JSON escapes them. */
class JsonList extends Transform {
  private started = false;
  private betweenRecords = false;

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, data: Buffer) => void): void {
    const endsRecord = chunk.at(-1) === NEWLINE;
    const records = endsRecord ? chunk.subarray(0, -1) : chunk;
    // Bytes as characters: only line breaks are replaced, and in UTF-8 their byte has no other meaning.
    const text = records.toString('latin1').replaceAll('\n', ',\n');
    const before = this.started ? (this.betweenRecords ? ',\n' : '') : '[';
    this.started = true;
    this.betweenRecords = endsRecord;
    done(null, Buffer.from(before + text, 'latin1'));
  }

  override _flush(done: (error: null, data: string) => void): void {
    done(null, this.started ? ']\n' : '[]\n');
  }
}
