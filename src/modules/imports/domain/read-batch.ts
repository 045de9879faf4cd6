/**
 * A batch of records prepared for the import: contacts, errors of others, and addresses that the source does not
 * write to.
 */
import { namesOfAddress } from '../../contacts/domain/refusal.js';
import type { ForeignRecord, OptOutReason } from './foreign-contact.js';
import type { RowError } from './import-error.js';
import {
  mapRecord,
  rejectUnreadable,
  type MappedContact,
  type Mapping,
  type Refuser,
  type RejectedRecord,
} from './mapping.js';
import { graver } from './opt-outs.js';

/** An address that the source does not write to, normalized for comparison. */
export interface SuppressedAddress {
  readonly email: string;
  readonly address: string;
  readonly reason: OptOutReason;
}

/** An opt-out from a record that did not become a contact. */
export interface NamedRefuser extends Refuser {
  readonly externalId: string;
}

export interface ReadBatch {
  readonly contacts: readonly MappedContact[];
  readonly errors: readonly RowError[];
  /** From records that are invalid but have an identifier. */
  readonly refusers: readonly NamedRefuser[];
  /** Each address once, including addresses of records that have nothing else. */
  readonly suppressions: readonly SuppressedAddress[];
  /** Values of its contacts that did not fit their field's type. */
  readonly mistyped: number;
}

/** Records that are read before the thread is yielded. */
const IN_ONE_GO = 100;

/** Reads records with a job's mapping. Suppressions without an address are ignored. */
export async function readBatch(records: readonly ForeignRecord[], mapping: Mapping): Promise<ReadBatch> {
  const contacts: MappedContact[] = [];
  const errors: RowError[] = [];
  const refusers: NamedRefuser[] = [];
  const suppressions = new Map<string, SuppressedAddress>();
  let mistyped = 0;
  const suppress = (email: string, said: OptOutReason): void => {
    const address = namesOfAddress(email)[0]?.text;
    if (address === undefined) return;
    const reason = graver(said, suppressions.get(address)?.reason ?? null) ?? said;
    suppressions.set(address, { email, address, reason });
  };
  const reject = ({ refuser, ...error }: RejectedRecord): void => {
    errors.push(error);
    if (!refuser) return;
    const { email, externalId } = refuser;
    if (externalId !== null) refusers.push({ ...refuser, externalId });
    else if (email !== null) suppress(email, refuser.optOut);
  };
  for (const [place, record] of records.entries()) {
    if (place % IN_ONE_GO === IN_ONE_GO - 1) await new Promise(setImmediate);
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
  return { contacts, errors, refusers, suppressions: [...suppressions.values()], mistyped };
}
