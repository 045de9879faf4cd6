/** GraphQL input of the list of a template's versions. */
import { Sought, Whole } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';

@Arguments()
export class TemplateVersionsArgs extends PageArgs {
  @Sought() slug: string;
}

@Arguments()
export class TemplateVersionDiffArgs {
  @Sought() slug: string;
  @Whole() from: number;
  @Whole({ optional: true }) to?: number;
}
