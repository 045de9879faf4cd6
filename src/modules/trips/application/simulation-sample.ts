/** Renders the sample emails of a simulation exactly as the product renders them. */
import { Injectable } from '@nestjs/common';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { maskerFor } from '../../contacts/domain/masking.js';
import { SendSimulations, type EmailPreview } from '../../delivery/application/send-simulations.js';
import type { SampledSend } from '../domain/simulation/sample-selection.js';
import { PastRepository } from '../persistence/past.repository.js';

export interface SampledEmail extends EmailPreview {
  readonly stepId: number;
  readonly path: string;
  readonly at: Date;
  readonly externalId: string;
  readonly to: string | null;
}

/** How the emails are shown. */
interface SampleOptions {
  readonly triggerEvent: string;
  readonly contentType: ContentType;
  /** Whether contacts were simulated with their properties and tags. */
  readonly hasFullContacts: boolean;
  /** Whether addresses are shown in full. If not, they are masked. */
  readonly showsPeople: boolean;
}

@Injectable()
export class SimulationSample {
  constructor(
    private readonly past: PastRepository,
    private readonly rehearsals: SendSimulations,
  ) {}

  async render(
    scope: TenantScope,
    sampled: readonly (SampledSend & { readonly path: string })[],
    { triggerEvent: eventName, contentType, hasFullContacts, showsPeople }: SampleOptions,
  ): Promise<SampledEmail[]> {
    if (sampled.length === 0) return [];
    const ids = sampled.map(({ triggerEventId }) => triggerEventId);
    const triggers = await this.past.attributes(scope, ids);
    const externalIds = sampled.map(({ contact }) => contact.externalId);
    const current = hasFullContacts ? [] : await this.past.contacts(scope, externalIds, true);
    const byId = new Map(current.map(({ contact }) => [contact.id, contact]));
    const emails: SampledEmail[] = [];
    for (const { stepId, path, at, triggerEventId, templateSlug, options, contact: partial } of sampled) {
      const contact = completed(partial, byId.get(partial.id));
      const attributes = triggers.get(triggerEventId);
      const triggerEvent = attributes ? { eventName, attributes } : null;
      const message = { contact, contentType, templateSlug, options, triggerEvent };
      const { externalId, email: to, phone } = contact;
      const shown = {
        stepId,
        path,
        at,
        externalId,
        to,
        ...(await this.rehearsals.preview(scope, message, at)),
      };
      emails.push(showsPeople ? shown : maskerFor(phone)(shown));
    }
    return emails;
  }
}

/**
 * Completes a contact that was simulated without properties and tags: today's values, overridden by what the
 * simulation has set.
 */
function completed(
  partial: SampledSend['contact'],
  current: SampledSend['contact'] | undefined,
): SampledSend['contact'] {
  if (!current) return partial;
  const tags = partial.tags.length > 0 ? partial.tags : current.tags;
  return { ...partial, properties: { ...current.properties, ...partial.properties }, tags };
}
