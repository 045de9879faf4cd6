/**
 * Checks that ask about how a contact is reached. What a check finds tells of the address what it asks, as the members of
 * a segment do: so the rule of segments' filters holds for the steps of flows.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import type { Principal } from '../../../kernel/principal.js';
import { assertReadsContacts } from '../../access/domain/access.js';
import { looksIntoAddresses, namesAddress } from '../../segments/domain/filter-needs.js';
import { contactFilter, type Check, type ContactCheck } from './check.js';
import type { NewStep, Step } from './step.js';
import { placedChecks } from './step-tree.js';

/** Whether a check asks about an address, as a whole or about a part of it. */
export function asksAddress(check: Check): check is ContactCheck {
  return check.source === 'contact' && namesAddress(check.field);
}

/**
 * Refuses steps with a check, at any depth, that looks for parts of addresses to whoever may not read contacts.
 * @param steps new ones, or those of a version.
 * @throws DomainError missing_permission.
 */
export function assertMayAsk(principal: Principal, steps: readonly (NewStep | Step)[] = []): void {
  if (placedChecks(steps).some(({ check }) => looksIntoAddress(check))) assertReadsContacts(principal);
}

function looksIntoAddress(check: Check): boolean {
  if (!asksAddress(check)) return false;
  try {
    return looksIntoAddresses(contactFilter(check));
  } catch (error) {
    // Stored under wider rules: what it asked then is not known.
    if (error instanceof DomainError) return true;
    throw error;
  }
}
