/** The parameters of a campaign list, section 4.5: the query string in REST, arguments in GraphQL. */
import { snakeCase } from '../../../kernel/letter-case.js';
import { SORT_ORDERS, type SortOrder } from '../../../kernel/page-cursor.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Nested, OneOf, SearchText } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { Limit, Offset, PageArgs, SortOrderEnum } from '../../../platform/input/page.input.js';
import { LONGEST_NAME } from '../domain/campaign.js';
import {
  CAMPAIGN_SORTS,
  DEFAULT_LIMIT,
  LARGEST_LIMIT,
  NEWEST_FIRST,
  type CampaignFilter,
  type CampaignOrder,
  type CampaignSort,
} from '../domain/campaign-filter.js';
import { CAMPAIGN_STATUSES, type CampaignStatus } from '../domain/campaign-status.js';

const WRITTEN_SORTS = CAMPAIGN_SORTS.map((sort) => snakeCase(sort));
type WrittenSort = (typeof WRITTEN_SORTS)[number];

export const CampaignStatusEnum = graphqlEnum('CampaignStatus', CAMPAIGN_STATUSES);
const CampaignSortEnum = graphqlEnum('CampaignSort', CAMPAIGN_SORTS);

@Input({ graphql: 'CampaignFilterInput' }, { nullIsAbsent: true })
export class CampaignFilterInput implements CampaignFilter {
  @SearchText({ optional: true, max: LONGEST_NAME, description: 'Matches part of the name.' })
  search?: string;
  @OneOf(CAMPAIGN_STATUSES, { optional: true, enumType: CampaignStatusEnum }) status?: CampaignStatus;
}

@Input({})
export class CampaignListQuery extends CampaignFilterInput {
  @OneOf(WRITTEN_SORTS, { fallback: snakeCase(NEWEST_FIRST.sortBy) }) sortBy: WrittenSort;
  @OneOf(SORT_ORDERS, { fallback: NEWEST_FIRST.sortDir }) sortDir: SortOrder;
  @Limit(DEFAULT_LIMIT, LARGEST_LIMIT) limit: number;
  @Offset() offset: number;
}

@Arguments()
export class CampaignsArgs extends PageArgs implements CampaignOrder {
  @Nested(CampaignFilterInput, { fallback: {} }) filter: CampaignFilterInput;
  @OneOf(CAMPAIGN_SORTS, { enumType: CampaignSortEnum, fallback: NEWEST_FIRST.sortBy }) sortBy: CampaignSort;
  @OneOf(SORT_ORDERS, { enumType: SortOrderEnum, fallback: NEWEST_FIRST.sortDir }) sortDir: SortOrder;
}

/** Maps REST's name of a sort key to the field name. */
export function campaignSortOf(written: WrittenSort): CampaignSort {
  return CAMPAIGN_SORTS.find((sort) => snakeCase(sort) === written) ?? NEWEST_FIRST.sortBy;
}
