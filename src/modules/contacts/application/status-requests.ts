/**
 * Applies `subscription_status` in requests of applications, section 2.11. Such a request cannot subscribe a contact
 * that has opted out.
 */
import { Injectable } from '@nestjs/common';
import { invalidFields, type DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ContactInput } from '../domain/read-contact.js';
import { namesOf } from '../domain/opt-out.js';
import { ContactRepository } from '../persistence/contact.repository.js';
import { OptOuts } from './opt-outs.js';

@Injectable()
export class StatusRequests {
  constructor(
    private readonly contacts: ContactRepository,
    private readonly optOuts: OptOuts,
  ) {}

  /** The indexes of inputs that try to subscribe a contact that has opted out, or that an earlier input opts out. */
  async rejectedAmong(
    tx: Transaction,
    scope: TenantScope,
    inputs: readonly ContactInput[],
  ): Promise<ReadonlySet<number>> {
    const subscribing = inputs.flatMap(({ status }, index) => (status === 'subscribed' ? [index] : []));
    if (subscribing.length === 0) return new Set();
    const withStatus = inputs.filter(({ status }) => status !== undefined);
    const known = await this.contacts.reachability(
      tx,
      scope,
      withStatus.map(({ externalId }) => externalId),
    );
    const addressees = inputs.map(({ externalId, changes }, index) => {
      const email = changes.email === undefined ? (known.get(externalId)?.email ?? null) : changes.email;
      return { id: String(index), externalId, email };
    });
    const optedOut = await this.optOuts.among(
      tx,
      scope,
      addressees.filter((_, index) => inputs[index]?.status === 'subscribed'),
    );
    const rejected = new Set<number>();
    const optedOutEarlier = new Set<string>();
    inputs.forEach(({ externalId, status }, index) => {
      const addressee = addressees[index];
      if (status === undefined || !addressee) return;
      const names = namesOf(addressee).map(({ kind, text }) => `${kind} ${text}`);
      if (status === 'unsubscribed') {
        for (const name of names) optedOutEarlier.add(name);
        return;
      }
      const isUnsubscribed = known.get(externalId)?.subscriptionStatus === 'unsubscribed';
      const isOptedOutEarlier = names.some((name) => optedOutEarlier.has(name));
      if (isUnsubscribed || isOptedOutEarlier || optedOut.has(String(index))) rejected.add(index);
    });
    return rejected;
  }
}

/** The external_ids that the inputs opt out. */
export function optedOutBy(inputs: readonly ContactInput[]): Set<string> {
  return new Set(inputs.flatMap(({ externalId, status }) => (status === 'unsubscribed' ? [externalId] : [])));
}

/** The error for subscribing a contact that has opted out. */
export function cannotSubscribe(): DomainError {
  return invalidFields([
    {
      field: 'subscription_status',
      message:
        'cannot be set to subscribed: the contact has opted out. Only the contact can undo this, on the ' +
        'preference page linked in promotional email',
    },
  ]);
}
