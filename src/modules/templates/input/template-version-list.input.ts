/** Which versions of a template the dashboard reads. */
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
