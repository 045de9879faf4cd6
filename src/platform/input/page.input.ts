/** The requested page of a list: by cursor in GraphQL, whose lists are connections, and by offset in REST. */
import { SORT_ORDERS } from '../../kernel/page-cursor.js';
import { graphqlEnum } from './enums.js';
import { SearchText, Integer } from './fields.js';
import { Arguments } from './input-class.js';

export const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 25;
/** Default page size of a nested list. */
export const NESTED_PAGE_SIZE = 10;
/** The maximum of PostgreSQL's `integer`. */
const MAX_OFFSET = 2_147_483_647;

const FIRST = { min: 1, max: MAX_PAGE_SIZE, description: `From 1 to ${MAX_PAGE_SIZE}.` } as const;

export const SortOrderEnum = graphqlEnum('SortOrder', SORT_ORDERS);

@Arguments()
export class PageArgs {
  @Integer({ ...FIRST, fallback: DEFAULT_PAGE_SIZE }) first: number;
  @SearchText({ optional: true, description: 'Cursor after which the page starts.' }) after?: string;
}

/** As `PageArgs`, for nested lists. */
@Arguments()
export class NestedPageArgs extends PageArgs {
  @Integer({ ...FIRST, fallback: NESTED_PAGE_SIZE }) declare first: number;
}

/** Number of records to return in REST. */
export function Limit(defaultLimit: number, maxLimit: number): PropertyDecorator {
  return Integer({ only: 'rest', min: 1, max: maxLimit, fallback: defaultLimit });
}

/** Number of records to skip in REST. */
export function Offset(): PropertyDecorator {
  return Integer({ only: 'rest', min: 0, max: MAX_OFFSET, fallback: 0 });
}
