/** The parameters of a report list, section 4.4: the query string in REST, arguments in GraphQL. */
import { snakeCase } from '../../../kernel/letter-case.js';
import { SORT_ORDERS, type SortOrder } from '../../../kernel/sort-order.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, Sought } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs, SortOrderEnum } from '../../../platform/input/page.input.js';
import { LONGEST_NAME } from '../domain/report-bounds.js';
import {
  DEFAULT_LIMIT,
  LARGEST_LIMIT,
  LAST_VIEWED_FIRST,
  REPORT_SORTS,
  REPORT_TABS,
  type ReportFilter,
  type ReportOrder,
  type ReportSort,
  type ReportTab,
} from '../domain/report-filter.js';
import { REPORT_TYPES, VISIBILITIES, type ReportType, type Visibility } from '../domain/report.js';
import { ReportTypeEnum, ReportVisibilityEnum } from './report.input.js';

const WRITTEN_SORTS = REPORT_SORTS.map((sort) => snakeCase(sort));
type WrittenSort = (typeof WRITTEN_SORTS)[number];

const ReportTabEnum = graphqlEnum('ReportTab', REPORT_TABS);
const ReportSortEnum = graphqlEnum('ReportSort', REPORT_SORTS);

@Input({ graphql: 'ReportFilterInput' }, { nullIsAbsent: true })
export class ReportFilterInput implements ReportFilter {
  @OneOf(REPORT_TABS, {
    fallback: 'all',
    enumType: ReportTabEnum,
    description: 'mine: created by the caller; shared: with a share link; scheduled: with a schedule.',
  })
  tab: ReportTab;

  @OneOf(REPORT_TYPES, { optional: true, enumType: ReportTypeEnum }) reportType?: ReportType;
  @OneOf(VISIBILITIES, { optional: true, enumType: ReportVisibilityEnum }) visibility?: Visibility;
  @Sought({ optional: true, format: 'uuid', isId: true, description: 'ID of a member.' }) createdBy?: string;
  @Sought({ optional: true, max: LONGEST_NAME, description: 'Matches part of the name or the description.' })
  search?: string;
}

@Input({})
export class ReportListQuery extends ReportFilterInput {
  @OneOf(WRITTEN_SORTS, {
    fallback: snakeCase(LAST_VIEWED_FIRST.sortBy),
    description:
      'Reports that were never viewed come last in descending order, and first in ascending order.',
  })
  sortBy: WrittenSort;

  @OneOf(SORT_ORDERS, { fallback: LAST_VIEWED_FIRST.sortDir }) sortDir: SortOrder;
  @Limit(DEFAULT_LIMIT, LARGEST_LIMIT) limit: number;
  @Offset() offset: number;
}

@Arguments()
export class ReportsArgs extends PageArgs implements ReportOrder {
  @Nested(ReportFilterInput, { fallback: {} }) filter: ReportFilterInput;
  @OneOf(REPORT_SORTS, { enumType: ReportSortEnum, fallback: LAST_VIEWED_FIRST.sortBy }) sortBy: ReportSort;
  @OneOf(SORT_ORDERS, { enumType: SortOrderEnum, fallback: LAST_VIEWED_FIRST.sortDir }) sortDir: SortOrder;
}

/** Maps REST's name of a sort key to the field name. */
export function reportSortOf(written: WrittenSort): ReportSort {
  return REPORT_SORTS.find((sort) => snakeCase(sort) === written) ?? LAST_VIEWED_FIRST.sortBy;
}
