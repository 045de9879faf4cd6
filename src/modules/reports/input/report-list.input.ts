/** The parameters of a report list, section 4.4: the query string in REST, arguments in GraphQL. */
import { snakeCase } from '../../../kernel/letter-case.js';
import { SORT_ORDERS, type SortOrder } from '../../../kernel/page-cursor.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, SearchText } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs, SortOrderEnum } from '../../../platform/input/page.input.js';
import { MAX_NAME_LENGTH } from '../domain/report-limits.js';
import {
  DEFAULT_LIMIT,
  MAX_LIMIT,
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

const REST_SORTS = REPORT_SORTS.map((sort) => snakeCase(sort));
type RestSort = (typeof REST_SORTS)[number];

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
  @SearchText({ optional: true, format: 'uuid', isId: true, description: 'ID of a member.' })
  createdBy?: string;
  @SearchText({
    optional: true,
    max: MAX_NAME_LENGTH,
    description: 'Matches part of the name or the description.',
  })
  search?: string;
}

@Input({})
export class ReportListQuery extends ReportFilterInput {
  @OneOf(REST_SORTS, {
    fallback: snakeCase(LAST_VIEWED_FIRST.sortBy),
    description:
      'Reports that were never viewed come last in descending order, and first in ascending order.',
  })
  sortBy: RestSort;

  @OneOf(SORT_ORDERS, { fallback: LAST_VIEWED_FIRST.sortDir }) sortDir: SortOrder;
  @Limit(DEFAULT_LIMIT, MAX_LIMIT) limit: number;
  @Offset() offset: number;
}

@Arguments()
export class ReportsArgs extends PageArgs implements ReportOrder {
  @Nested(ReportFilterInput, { fallback: {} }) filter: ReportFilterInput;
  @OneOf(REPORT_SORTS, { enumType: ReportSortEnum, fallback: LAST_VIEWED_FIRST.sortBy }) sortBy: ReportSort;
  @OneOf(SORT_ORDERS, { enumType: SortOrderEnum, fallback: LAST_VIEWED_FIRST.sortDir }) sortDir: SortOrder;
}

/** Maps REST's name of a sort key to the field name. */
export function reportSortOf(name: RestSort): ReportSort {
  return REPORT_SORTS.find((sort) => snakeCase(sort) === name) ?? LAST_VIEWED_FIRST.sortBy;
}
