/** The input of the sample routes: one field of each type that errors distinguish. */
import { Moment, Email, Json, OneOf, Text, Integer } from '../../../src/platform/input/fields.js';
import { Arguments, Input } from '../../../src/platform/input/input-class.js';
import { VariantList } from '../../../src/platform/input/variants.js';

@Input({ rest: 'SampleStep' })
class SampleStep {
  @OneOf(['wait']) type: string;
  @Text({ optional: true }) duration?: string;
}

@Input({ rest: 'SampleInput' })
export class SampleInput {
  @Text({ min: 1, max: 10 }) name: string;
  @Email({ optional: true }) email?: string;
  @Json({ optional: true }) properties?: object;

  @VariantList(
    { classes: { wait: SampleStep }, tag: 'type', graphqlName: 'SampleStepInput', most: 10 },
    { optional: true },
  )
  steps?: readonly SampleStep[];
}

@Input({})
export class SampleQuery {
  @Integer({ optional: true, min: 0, max: 200 }) limit?: number;
}

@Arguments()
export class SamplePageArgs {
  @Integer({ optional: true, min: 0, max: 2_000 }) first?: number;
}

@Arguments()
export class SampleMomentArgs {
  @Moment() at: Date;
}
