/** Input of the bulk action on flows, section 4.2. If any of it is invalid, no flow is changed. */
import { OneOf, Uuids } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { MAX_BULK_FLOWS } from '../domain/flow-bounds.js';
import { BULK_ACTIONS, type BulkAction } from '../domain/flow-transitions.js';

@Input({ rest: 'BulkFlowActionBody', graphql: 'BulkFlowActionInput' })
export class BulkFlowActionInput {
  @Uuids({ min: 1, max: MAX_BULK_FLOWS, description: 'Processed in this order. Duplicates are ignored.' })
  flowIds: readonly string[];

  @OneOf(BULK_ACTIONS) action: BulkAction;
}
