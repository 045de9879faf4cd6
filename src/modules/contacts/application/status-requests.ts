/** What applications ask for with `subscription_status`, section 2.11. Nobody who opted out is subscribed by such a request. */
import { Injectable } from '@nestjs/common';
import { invalidFields, type DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ContactInput } from '../domain/read-contact.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { Refusals } from './refusals.js';

@Injectable()
export class StatusRequests {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly refusals: Refusals,
  ) {}

  /** The indexes of inputs that ask to subscribe a contact that has opted out, or that an earlier input opts out. */
  async refusedAmong(
    tx: Transaction,
    scope: TenantScope,
    inputs: readonly ContactInput[],
  ): Promise<ReadonlySet<number>> {
    const asking = inputs.flatMap(({ status }, index) => (status === 'subscribed' ? [index] : []));
    if (asking.length === 0) return new Set();
    const externalIds = asking.map((index) => inputs[index]?.externalId ?? '');
    const known = await this.contacts.reachability(tx, scope, externalIds);
    const addressees = asking.flatMap((index) => {
      const input = inputs[index];
      if (!input) return [];
      const { externalId, changes } = input;
      const email = changes.email === undefined ? (known.get(externalId)?.email ?? null) : changes.email;
      return [{ id: String(index), externalId, email }];
    });
    const optedOut = await this.refusals.among(tx, scope, addressees);
    const refused = new Set<number>();
    const optedOutEarlier = new Set<string>();
    inputs.forEach(({ externalId, status }, index) => {
      if (status === 'unsubscribed') optedOutEarlier.add(externalId);
      if (status !== 'subscribed') return;
      const isUnsubscribed = known.get(externalId)?.subscriptionStatus === 'unsubscribed';
      if (isUnsubscribed || optedOut.has(String(index)) || optedOutEarlier.has(externalId))
        refused.add(index);
    });
    return refused;
  }
}

/** The external_ids of those that the inputs opt out. */
export function optedOutBy(inputs: readonly ContactInput[]): Set<string> {
  return new Set(inputs.flatMap(({ externalId, status }) => (status === 'unsubscribed' ? [externalId] : [])));
}

/** The refusal to subscribe a contact that has opted out. */
export function cannotSubscribe(): DomainError {
  return invalidFields([
    {
      field: 'subscription_status',
      message:
        'cannot be set to subscribed: the contact has opted out, and only the recipient can take that back, ' +
        'on the preference page that each promotional email links to',
    },
  ]);
}
