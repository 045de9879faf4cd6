/** Selects the simulated messages to show: the first message of each step, then the earliest others. */
import type { Contact } from '../../../contacts/domain/contact.js';
import type { SendOptions } from '../../../delivery/domain/email-log.js';
import type { SimulatedMessage } from './simulation-model.js';

/** A message with everything that its rendering needs, as of its time. */
export interface SampledSend {
  readonly stepId: number;
  readonly at: Date;
  readonly contact: Contact;
  readonly triggerEventId: string;
  readonly templateSlug: string;
  readonly options: SendOptions;
}

export const MAX_SAMPLED_SENDS = 5;

export class SampleSelection {
  private readonly firstOfSteps = new Map<number, SampledSend>();
  private readonly others: SampledSend[] = [];

  add({ stepId, trip, templateSlug, options, contact }: SimulatedMessage, at: Date): void {
    const isFirst = this.firstOfSteps.size < MAX_SAMPLED_SENDS && !this.firstOfSteps.has(stepId);
    if (!isFirst && this.others.length >= MAX_SAMPLED_SENDS) return;
    const { triggerEventId } = trip;
    const send: SampledSend = { stepId, at, contact, triggerEventId, templateSlug, options };
    if (isFirst) this.firstOfSteps.set(stepId, send);
    else this.others.push(send);
  }

  /** In the order of their times. */
  selected(): SampledSend[] {
    const selected = [...this.firstOfSteps.values(), ...this.others].slice(0, MAX_SAMPLED_SENDS);
    return selected.sort((one, other) => one.at.getTime() - other.at.getTime());
  }
}
