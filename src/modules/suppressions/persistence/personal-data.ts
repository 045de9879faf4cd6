/** What an erasure does to suppressions: a keyed digest of the address remains, so that they still apply. */
import type { PersonalDataErasure } from '../../../platform/database/personal-data.js';
import { addressKey } from '../domain/suppression.js';
import { SuppressionRepository } from './suppression.repository.js';

const suppressions = new SuppressionRepository();

export const SUPPRESSION_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['suppressions'],
    kind: 'suppressions',
    erase: async (tx, person) => {
      const found = await suppressions.ofPerson(tx, person, person.contactId, addressKey(person.email ?? ''));
      for (const { id, address } of found) {
        const digest = await person.digestOf(tx, address);
        if (digest) await suppressions.erase(tx, person, id, { digest, at: person.now });
      }
      return found.length;
    },
  },
];
