/** Records of a source as they are to be imported: contacts, what is wrong with others, and addresses it does not write to. */
import { namesOfAddress } from '../../contacts/domain/refusal.js';
import type { ForeignRecord, OptOutReason } from './foreign-contact.js';
import type { RowError } from './import-error.js';
import { mapRecord, rowError, type MappedContact, type Mapping } from './mapping.js';
import { graver } from './opt-outs.js';

/** An address that the source does not write to, as it is compared. */
export interface SuppressedAddress {
  readonly email: string;
  readonly address: string;
  readonly reason: OptOutReason;
}

export interface ReadBatch {
  readonly contacts: readonly MappedContact[];
  readonly errors: readonly RowError[];
  /** Each address once. */
  readonly suppressions: readonly SuppressedAddress[];
}

/** Records that are read between two looks at whoever else wants the thread. */
const IN_ONE_GO = 500;

/** Reads records by a job's mapping. Suppressions without an address say nothing. */
export async function readBatch(records: readonly ForeignRecord[], mapping: Mapping): Promise<ReadBatch> {
  const contacts: MappedContact[] = [];
  const errors: RowError[] = [];
  const suppressions = new Map<string, SuppressedAddress>();
  for (const [place, record] of records.entries()) {
    if (place % IN_ONE_GO === IN_ONE_GO - 1) await new Promise(setImmediate);
    if (record.kind === 'unreadable') errors.push(rowError(record.row, record.externalId, record));
    else if (record.kind === 'contact') {
      const mapped = mapRecord(record, mapping);
      if ('changes' in mapped) contacts.push(mapped);
      else errors.push(mapped);
    } else {
      const address = namesOfAddress(record.email)[0]?.text;
      if (address === undefined) continue;
      const reason = graver(record.reason, suppressions.get(address)?.reason ?? null) ?? record.reason;
      suppressions.set(address, { email: record.email, address, reason });
    }
  }
  return { contacts, errors, suppressions: [...suppressions.values()] };
}
