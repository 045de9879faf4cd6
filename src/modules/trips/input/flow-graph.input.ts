/** Which flow to draw: a stored one, or a draft. */
import { Nested, SearchText } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { CreateFlowInput } from '../../flows/input/flow.input.js';

@Arguments()
export class FlowGraphArgs {
  @SearchText({ optional: true, isId: true, description: 'ID of a flow of the workspace.' }) flowId?: string;
  @Nested(CreateFlowInput, { optional: true }) draft?: CreateFlowInput;
}
