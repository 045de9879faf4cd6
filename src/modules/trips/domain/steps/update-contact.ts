/** A step of a trip that changes its contact. */
import type { StepOf } from '../../../flows/domain/step.js';
import type { StepHandler } from './step-handler.js';

export const updateContact: StepHandler<StepOf<'update_contact'>> = {
  stops: false,
  addNeeds: (_step, needs) => {
    needs.changesContact = true;
  },
  take(step, run) {
    run.updateContact(step.set);
    return run.record(step, 'updated', '');
  },
  reason: ({ set }) => ({
    reason: 'contact_updated',
    detail: `Sets ${Object.keys(set).join(', ')} on the contact.`,
  }),
  shownFacts: ({ set }, { outcome }, shown) => (outcome === 'updated' ? { ...shown, set } : shown),
};
