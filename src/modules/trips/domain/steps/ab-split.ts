/** An A/B split in a trip. */
import type { Step, StepOf } from '../../../flows/domain/step.js';
import { listsWithin } from '../../../flows/domain/step-tree.js';
import { branchKeyOf } from '../../../flows/domain/steps/branch.js';
import { formatValue } from '../explained-reason.js';
import { drawOf, variantAt } from '../variant.js';
import type { StepHandler } from './step-handler.js';

export const abSplit: StepHandler<StepOf<'ab_split'>> = {
  stops: false,
  take(step, run, path) {
    const drawn = drawOf(run.trip.id, step.id);
    const index = variantAt(step.variants, drawn);
    const list = listsWithin<Step>(step)[index];
    if (!list) return run.fail('invalid_step');
    path.enter(list);
    return run.record(step, `variant ${step.variants[index]?.name}`, branchKeyOf(index), { drawn });
  },
  reason: (_step, { outcome, facts = {} }) => ({
    reason: 'variant_drawn',
    detail: `Draws ${formatValue(facts['drawn'])} of 100 and takes ${outcome.replace(/^variant /, 'the variant ')}.`,
  }),
  branchTaken({ variants }, { outcome }) {
    const index = variants.findIndex(({ name }) => outcome === `variant ${name}`);
    return index === -1 ? null : branchKeyOf(index);
  },
};
