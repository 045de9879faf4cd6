/** The filter and order of a campaign list, section 4.5. */
import {
  encodeCursor,
  KEY,
  decodeCursor,
  type PageCursor,
  type SortOrder,
} from '../../../kernel/page-cursor.js';
import type { CampaignStatus } from './campaign-status.js';
import type { Campaign } from './campaign.js';

export const DEFAULT_LIMIT = 50;
export const LARGEST_LIMIT = 200;

/** An absent member does not filter. */
export interface CampaignFilter {
  /** Part of the name, case-insensitive. */
  readonly search?: string | undefined;
  readonly status?: CampaignStatus | undefined;
}

/** Sort keys. Campaigns without a value come last in either direction. */
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
  /** The page starts after this position. */
  readonly after?: PageCursor | null;
}

/** The number of campaigns in the environment per status, regardless of the filter. */
export type CampaignCounts = { readonly [Status in CampaignStatus | 'all']: number };

/** The name that the cursors of a list in this order carry. */
const listName = ({ sortBy, sortDir }: CampaignOrder): string => `campaigns ${sortBy} ${sortDir}`;
/** A campaign without the timestamp has no key. */
const isKey = ({ sortBy }: CampaignOrder): ((text: string) => boolean) =>
  sortBy === 'name' ? KEY.text : (text) => text === '' || KEY.moment(text);

/** Returns the cursor of a campaign in a list of this order. */
export function campaignCursor(campaign: Campaign, order: CampaignOrder): string {
  const value = campaign[order.sortBy];
  const key = typeof value === 'string' ? value : (value?.toISOString() ?? '');
  return encodeCursor(listName(order), { key, id: campaign.id });
}

/**
 * Returns the position that a cursor encodes. @throws DomainError invalid_field for a cursor that does not belong to
 * the list.
 */
export function parseCampaignCursor(cursor: string | undefined, order: CampaignOrder): PageCursor | null {
  return decodeCursor(listName(order), cursor, isKey(order));
}
