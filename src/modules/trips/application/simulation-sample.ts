/** Renders the sample emails of a simulation exactly as the product renders them. */
import { Injectable } from '@nestjs/common';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { maskerFor } from '../../contacts/domain/masking.js';
import { SendRehearsals, type ShownEmail } from '../../delivery/application/send-rehearsals.js';
import type { SampledSend } from '../domain/simulation/sample-choice.js';
import { PastRepository } from '../persistence/past.repository.js';

export interface SampledEmail extends ShownEmail {
  readonly stepId: number;
  readonly path: string;
  readonly at: Date;
  readonly externalId: string;
  readonly to: string | null;
}

/** How the emails are shown. */
interface Showing {
  readonly triggerEvent: string;
  readonly contentType: ContentType;
  /** Whether contacts were simulated with their properties and tags. */
  readonly areWhole: boolean;
  /** Whether addresses are shown in full. If not, they are masked. */
  readonly showsPeople: boolean;
}

@Injectable()
export class SimulationSample {
  constructor(
    private readonly past: PastRepository,
    private readonly rehearsals: SendRehearsals,
  ) {}

  async render(
    scope: TenantScope,
    sampled: readonly (SampledSend & { readonly path: string })[],
    { triggerEvent: eventName, contentType, areWhole, showsPeople }: Showing,
  ): Promise<SampledEmail[]> {
    if (sampled.length === 0) return [];
    const ids = sampled.map(({ triggerEventId }) => triggerEventId);
    const triggers = await this.past.attributes(scope, ids);
    const names = sampled.map(({ contact }) => contact.externalId);
    const today = areWhole ? [] : await this.past.contacts(scope, names, true);
    const byId = new Map(today.map(({ contact }) => [contact.id, contact]));
    const emails: SampledEmail[] = [];
    for (const { stepId, path, at, triggerEventId, templateSlug, options, contact: lean } of sampled) {
      const contact = completed(lean, byId.get(lean.id));
      const attributes = triggers.get(triggerEventId);
      const triggerEvent = attributes ? { eventName, attributes } : null;
      const message = { contact, contentType, templateSlug, options, triggerEvent };
      const { externalId, email: to, phone } = contact;
      const shown = { stepId, path, at, externalId, to, ...(await this.rehearsals.show(scope, message, at)) };
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
  lean: SampledSend['contact'],
  today: SampledSend['contact'] | undefined,
): SampledSend['contact'] {
  if (!today) return lean;
  const tags = lean.tags.length > 0 ? lean.tags : today.tags;
  return { ...lean, properties: { ...today.properties, ...lean.properties }, tags };
}
