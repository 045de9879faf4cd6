/** The confirmation that the owner types to delete the workspace. */
import { Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';

/** Longer than any name. */
const LONGEST = 1_000;

@Arguments()
export class DeleteWorkspaceArgs {
  @Text({ min: 1, max: LONGEST, description: 'The exact name of the workspace.' }) name: string;
}
