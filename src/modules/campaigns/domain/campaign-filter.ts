/** Which campaigns a list shows, section 4.5, and in which order. */
import { cursorOf, KEY, placeOf, type Place } from '../../../kernel/place.js';
import type { SortOrder } from '../../../kernel/sort-order.js';
import type { CampaignStatus } from './campaign-status.js';
import type { Campaign } from './campaign.js';

export const DEFAULT_LIMIT = 50;
export const LARGEST_LIMIT = 200;

/** An absent member does not filter. */
export interface CampaignFilter {
  /** Part of the name, in any letter case. */
  readonly search?: string | undefined;
  readonly status?: CampaignStatus | undefined;
}

/** What campaigns are ordered by; what has no moment comes last, whichever the direction. */
export const CAMPAIGN_SORTS = ['createdAt', 'updatedAt', 'scheduledAt', 'name'] as const;
export type CampaignSort = (typeof CAMPAIGN_SORTS)[number];

export interface CampaignOrder {
  readonly sortBy: CampaignSort;
  readonly sortDir: SortOrder;
}

export const NEWEST_FIRST: CampaignOrder = { sortBy: 'createdAt', sortDir: 'desc' };

export interface CampaignPage {
  readonly limit: number;
  readonly offset: number;
  /** The page begins behind this place. */
  readonly after?: Place | null;
}

/** The campaigns of the environment by status, whatever is filtered. */
export type CampaignCounts = { readonly [Status in CampaignStatus | 'all']: number };

/** The list of that order, as its cursors name it. */
const listOf = ({ sortBy, sortDir }: CampaignOrder): string => `campaigns ${sortBy} ${sortDir}`;
/** What has no such moment has no key. */
const isKey = ({ sortBy }: CampaignOrder): ((text: string) => boolean) =>
  sortBy === 'name' ? KEY.text : (text) => text === '' || KEY.moment(text);

/** The cursor of a campaign in a list of that order. */
export function campaignCursor(campaign: Campaign, order: CampaignOrder): string {
  const value = campaign[order.sortBy];
  const key = typeof value === 'string' ? value : (value?.toISOString() ?? '');
  return cursorOf(listOf(order), { key, id: campaign.id });
}

/** The place that a cursor names. @throws DomainError invalid_field for what is no cursor of that list. */
export function campaignPlace(cursor: string | undefined, order: CampaignOrder): Place | null {
  return placeOf(listOf(order), cursor, isKey(order));
}
