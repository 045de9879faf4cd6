/** The input of a report's share link, section 4.4: its lifetime. */
import { Integer } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { LINK_DAYS } from '../domain/share-link.js';

@Input({ rest: 'ShareReportBody', graphql: 'ShareReportInput' }, { mayBeAbsent: true })
export class ShareReportInput {
  @Integer({
    optional: true,
    nullable: 'absent',
    min: LINK_DAYS.min,
    max: LINK_DAYS.max,
    default: LINK_DAYS.default,
  })
  expiresInDays?: number;
}

/** The lifetime of the link in days. */
export function daysOfLink({ expiresInDays }: ShareReportInput): number {
  return expiresInDays ?? LINK_DAYS.default;
}
