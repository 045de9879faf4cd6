/**
 * Checks that use a contact's addresses. The result of such a check reveals part of the address, as the members of a
 * segment do. The permission rule for segment filters therefore also applies to steps of flows.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import type { Principal } from '../../../kernel/principal.js';
import { assertReadsContacts } from '../../access/domain/access.js';
import { searchesAddresses, namesAddress } from '../../segments/domain/filter-inputs.js';
import { contactFilter, type Check, type ContactCheck } from './check.js';
import type { NewStep, Step } from './step.js';
import { checksWithPaths } from './step-tree.js';

/** Whether a check uses an address, in whole or in part. */
export function readsAddress(check: Check): check is ContactCheck {
  return check.source === 'contact' && namesAddress(check.field);
}

/**
 * Rejects steps with a check, at any depth, that searches parts of addresses, unless the caller may read contacts.
 * @param steps new ones, or those of a version.
 * @throws DomainError missing_permission.
 */
export function assertMayCheckAddresses(principal: Principal, steps: readonly (NewStep | Step)[] = []): void {
  if (checksWithPaths(steps).some(({ check }) => searchesAddress(check))) assertReadsContacts(principal);
}

function searchesAddress(check: Check): boolean {
  if (!readsAddress(check)) return false;
  try {
    return searchesAddresses(contactFilter(check));
  } catch (error) {
    // Stored under less strict rules: what it searched for is unknown.
    if (error instanceof DomainError) return true;
    throw error;
  }
}
