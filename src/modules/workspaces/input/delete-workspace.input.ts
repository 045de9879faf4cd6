/** The confirmation that the owner types to delete the workspace. */
import { Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';

/** Longer than any name. */
const MAX_NAME_LENGTH = 1_000;

@Arguments()
export class DeleteWorkspaceArgs {
  @Text({ min: 1, max: MAX_NAME_LENGTH, description: 'The exact name of the workspace.' }) name: string;
}
