/** The input of a report's share link, section 4.4: its lifetime. */
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

/** The lifetime of the link in days. */
export function daysOfLink({ expiresInDays }: ShareReportInput): number {
  return expiresInDays ?? DAYS_OF_LINK.usual;
}
