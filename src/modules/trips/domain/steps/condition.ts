/** A condition in a trip. */
import { readsAddress } from '../../../flows/domain/address-checks.js';
import { checkLabel } from '../../../flows/domain/check-label.js';
import type { StepOf } from '../../../flows/domain/step.js';
import { expectationOf, formatWithheldCheck } from '../explained-check.js';
import type { StepHandler } from './step-handler.js';

export const condition: StepHandler<StepOf<'condition'>> = {
  stops: false,
  addNeeds: ({ check }, needs) => needs.add(check),
  take(step, run, path) {
    const { holds, facts, values } = run.evaluate(step.check);
    const directive = (holds ? step.onTrue : step.onFalse) ?? 'continue';
    run.record(step, directive, holds ? 'true' : 'false', { holds, ...facts }, values);
    if (directive === 'skip_to_end') path.skipToEnd();
    return undefined;
  },
  reason({ check }, { outcome, facts = {} }, withValues) {
    const then = outcome === 'skip_to_end' ? 'Skips to the end' : 'Continues';
    if (!withValues && readsAddress(check))
      return { reason: 'check_asked', detail: `Checks ${formatWithheldCheck(check)}. ${then}.` };
    const holds = facts['holds'] === true;
    return {
      reason: holds ? 'check_holds' : 'check_fails',
      detail: `Checks “${checkLabel(check)}”: ${holds ? 'yes' : 'no'}. ${then}.`,
    };
  },
  shownFacts: ({ check }, _entry, shown, withValues) => ({ ...shown, ...expectationOf(check, withValues) }),
  branchTaken({ check }, { facts }, withValues) {
    if (!withValues && readsAddress(check)) return null;
    const holds = facts?.['holds'];
    return typeof holds === 'boolean' ? `${holds}` : null;
  },
};
