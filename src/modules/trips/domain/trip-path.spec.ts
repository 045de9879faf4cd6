import { assignStepIds } from '../../flows/domain/step-identity.js';
import type { NewStep } from '../../flows/domain/step.js';
import { currentStep } from './trip-path.js';

const wait: NewStep = { type: 'wait', duration: '1h' };
// Ids: 1; 2 with 3, 4 with 5; 6.
const STEPS = assignStepIds([
  wait,
  {
    type: 'ab_split',
    variants: [
      { name: 'A', percentage: 50, steps: [wait] },
      { name: 'B', percentage: 50, steps: [{ type: 'conditional_split', branches: [{ steps: [wait] }] }] },
    ],
  },
  wait,
]);

test.each([
  ['before the first step', 0, 'active', 0],
  ['behind a step of the flow', 1, 'paused', 1],
  ['within a split', 3, 'paused', 1],
  ['within a split of a split', 5, 'awaiting_send', 1],
  ['behind the last step', 6, 'paused', 3],
  ['completed, by a skip', 1, 'completed', 3],
  ['ended within a split', 5, 'terminated', 1],
  ['a step that is gone', 99, 'failed', 0],
])('current_step: %s', (_, lastStep, status, index) => {
  expect(currentStep(STEPS, { lastStep, status })).toBe(index);
});
