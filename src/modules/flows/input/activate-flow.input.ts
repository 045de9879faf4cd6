/** GraphQL input of a flow's activation, section 4.2. */
import { SearchText } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { OverrideTokensInput } from '../../inspect/input/override.input.js';

@Arguments()
export class ActivateFlowArgs extends OverrideTokensInput {
  @SearchText({ isId: true, description: 'ID of the flow.' }) id: string;
}
