/** A wait in a trip. */
import { parseDuration } from '../../../../kernel/duration.js';
import type { StepOf } from '../../../flows/domain/step.js';
import { formatValue } from '../explained-reason.js';
import type { StepHandler } from './step-handler.js';

export const wait: StepHandler<StepOf<'wait'>> = {
  stops: true,
  take(step, run) {
    const duration = parseDuration(step.duration);
    if (duration === undefined) return run.fail('invalid_step');
    const resumeAt = new Date(run.now.getTime() + duration);
    run.record(step, 'parked', '', { resume_at: resumeAt.toISOString() });
    return { kind: 'park', lastStep: step.id, resumeAt };
  },
  reason: ({ duration }, { facts = {} }) => ({
    reason: 'wait',
    detail: `Waits ${duration}, until ${formatValue(facts['resume_at'])}.`,
  }),
};
