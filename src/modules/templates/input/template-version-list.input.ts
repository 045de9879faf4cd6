/** GraphQL input of the list of a template's versions. */
import { SearchText, Integer } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';

@Arguments()
export class TemplateVersionsArgs extends PageArgs {
  @SearchText() slug: string;
}

@Arguments()
export class TemplateVersionDiffArgs {
  @SearchText() slug: string;
  @Integer() from: number;
  @Integer({ optional: true }) to?: number;
}
