/**
 * A batch of records prepared for the import: contacts, errors of others, and addresses that the source does not
 * write to.
 */
import { namesOfAddress } from '../../contacts/domain/opt-out.js';
import type { SourceRecord, OptOutReason } from './source-record.js';
import type { RowError } from './import-error.js';
import {
  mapRecord,
  rejectUnreadable,
  type MappedContact,
  type Mapping,
  type RejectedOptOut,
  type RejectedRecord,
} from './mapping.js';
import { moreSevere } from './opt-outs.js';

/** An address that the source does not write to, normalized for comparison. */
export interface SuppressedAddress {
  readonly email: string;
  readonly address: string;
  readonly reason: OptOutReason;
}

/** An opt-out from a record that did not become a contact. */
export interface IdentifiedOptOut extends RejectedOptOut {
  readonly externalId: string;
}

export interface ReadBatch {
  readonly contacts: readonly MappedContact[];
  readonly errors: readonly RowError[];
  /** From records that are invalid but have an identifier. */
  readonly rejectedOptOuts: readonly IdentifiedOptOut[];
  /** Each address once, including addresses of records that have nothing else. */
  readonly suppressions: readonly SuppressedAddress[];
  /** Values of its contacts that did not fit their field's type. */
  readonly mistyped: number;
}

/** Records that are read before the thread is yielded. */
const RECORDS_PER_YIELD = 100;

/** Reads records with a job's mapping. Suppressions without an address are ignored. */
export async function readBatch(records: readonly SourceRecord[], mapping: Mapping): Promise<ReadBatch> {
  const contacts: MappedContact[] = [];
  const errors: RowError[] = [];
  const rejectedOptOuts: IdentifiedOptOut[] = [];
  const suppressions = new Map<string, SuppressedAddress>();
  let mistyped = 0;
  const suppress = (email: string, reported: OptOutReason): void => {
    const address = namesOfAddress(email)[0]?.text;
    if (address === undefined) return;
    const reason = moreSevere(reported, suppressions.get(address)?.reason ?? null) ?? reported;
    suppressions.set(address, { email, address, reason });
  };
  const reject = ({ rejectedOptOut, ...error }: RejectedRecord): void => {
    errors.push(error);
    if (!rejectedOptOut) return;
    const { email, externalId } = rejectedOptOut;
    if (externalId !== null) rejectedOptOuts.push({ ...rejectedOptOut, externalId });
    else if (email !== null) suppress(email, rejectedOptOut.optOut);
  };
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_PER_YIELD === RECORDS_PER_YIELD - 1) await new Promise(setImmediate);
    if (record.kind === 'unreadable') reject(rejectUnreadable(record, mapping));
    else if (record.kind === 'contact') {
      const mapped = mapRecord(record, mapping);
      if ('changes' in mapped) {
        contacts.push(mapped);
        mistyped += mapped.mistyped;
        // A contact that the source only knows by the address may have another identifier here.
        if (mapped.isByEmail && mapped.optOut !== null) suppress(mapped.externalId, mapped.optOut);
      } else reject(mapped);
    } else suppress(record.email, record.reason);
  }
  return { contacts, errors, rejectedOptOuts, suppressions: [...suppressions.values()], mistyped };
}
