/** How long a report's link is to last, section 4.4. */
import { Whole } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { DAYS_OF_LINK } from '../domain/share-link.js';

@Input({ rest: 'ShareReportBody', graphql: 'ShareReportInput' }, { mayBeAbsent: true })
export class ShareReportInput {
  @Whole({
    optional: true,
    nullable: 'absent',
    min: DAYS_OF_LINK.least,
    max: DAYS_OF_LINK.most,
    default: DAYS_OF_LINK.usual,
  })
  expiresInDays?: number;
}

/** Days for which the link is to last. */
export function daysOfLink({ expiresInDays }: ShareReportInput): number {
  return expiresInDays ?? DAYS_OF_LINK.usual;
}
