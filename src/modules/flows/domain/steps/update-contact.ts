/** Sets fields and properties of the contact. */
import type { StepKind } from './step-kind.js';

export interface UpdateContactStep {
  readonly type: 'update_contact';
  readonly set: Readonly<Record<string, unknown>>;
}

export const updateContact: StepKind<UpdateContactStep> = {
  title: 'Update contact',
  colour: '#15803d',
  detail: ({ set }) => Object.keys(set).join(', '),
  records: [],
};
