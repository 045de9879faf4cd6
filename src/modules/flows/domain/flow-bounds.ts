/** How large a flow may be: its versions are kept, and the definitions of many are loaded at once to take trips further. */
import { invalidFields } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { NewFlow } from './flow.js';

/** Bytes of JSON of all that a person decides about a flow. */
const LARGEST_FLOW = 524_288;

/** @throws DomainError invalid_field, of the steps, since they are what makes a flow large. */
export function assertFlowSize(flow: NewFlow): void {
  if (Buffer.byteLength(jsonText(flow)) <= LARGEST_FLOW) return;
  const message = `make the flow larger than ${LARGEST_FLOW} bytes of JSON (512 KB)`;
  throw invalidFields([{ field: 'steps', message }]);
}
