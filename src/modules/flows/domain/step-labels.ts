/** Short labels of steps, for drawings of a flow and for the history of a trip. */
import type { Check } from './check.js';
import type { NewStep } from './step.js';

/** The type of a step, and its own details. */
export interface StepLabels {
  readonly title: string;
  readonly detail: string;
}

export function stepLabels(step: NewStep): StepLabels {
  switch (step.type) {
    case 'send_email':
      return { title: 'Send email', detail: step.templateSlug };
    case 'wait':
      return { title: 'Wait', detail: step.duration };
    case 'update_contact':
      return { title: 'Update contact', detail: Object.keys(step.set).join(', ') };
    case 'condition':
      return { title: 'Condition', detail: checkLabel(step.check) };
    case 'conditional_split':
      return { title: 'Conditional split', detail: `${step.branches.length} branches` };
    case 'ab_split':
      return { title: 'A/B split', detail: `${step.variants.length} variants` };
  }
}

/** The label of a check. */
export function checkLabel(check: Check): string {
  switch (check.source) {
    case 'latest_event':
      return `${check.exists ? 'has' : 'has no'} ${check.eventName}${check.attributes ? ' that matches' : ''}${check.within === undefined ? '' : ` within ${check.within}`}`;
    case 'contact':
      return ['contact', check.field, check.operator, valueLabel(check.value)].join(' ').trimEnd();
    case 'trigger_event':
      return ['event', check.attribute, check.operator, valueLabel(check.value)].join(' ').trimEnd();
    case 'segment':
      return check.member ? 'in the segment' : 'not in the segment';
  }
}

function valueLabel(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
