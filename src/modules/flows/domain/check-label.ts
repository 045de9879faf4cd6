/** Short labels of checks, for drawings of a flow and for the history of a trip. */
import type { Check } from './check.js';

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
