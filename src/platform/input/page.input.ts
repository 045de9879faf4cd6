/** The requested page of a list: by cursor in GraphQL, whose lists are connections, and by offset in REST. */
import { SORT_ORDERS } from '../../kernel/sort-order.js';
import { graphqlEnum } from './enums.js';
import { Sought, Whole } from './fields.js';
import { Arguments } from './input-class.js';

export const LARGEST_PAGE = 100;
const USUAL_PAGE = 25;
/** Default page size of a nested list. */
export const NESTED_PAGE = 10;
/** The maximum of PostgreSQL's `integer`. */
const LAST_RECORD = 2_147_483_647;

const FIRST = { min: 1, max: LARGEST_PAGE, description: `From 1 to ${LARGEST_PAGE}.` } as const;

export const SortOrderEnum = graphqlEnum('SortOrder', SORT_ORDERS);

@Arguments()
export class PageArgs {
  @Whole({ ...FIRST, fallback: USUAL_PAGE }) first: number;
  @Sought({ optional: true, description: 'Cursor after which the page starts.' }) after?: string;
}

/** As `PageArgs`, for nested lists. */
@Arguments()
export class NestedPageArgs extends PageArgs {
  @Whole({ ...FIRST, fallback: NESTED_PAGE }) declare first: number;
}

/** Number of records to return in REST. */
export function Limit(usual: number, most: number): PropertyDecorator {
  return Whole({ only: 'rest', min: 1, max: most, fallback: usual });
}

/** Number of records to skip in REST. */
export function Offset(): PropertyDecorator {
  return Whole({ only: 'rest', min: 0, max: LAST_RECORD, fallback: 0 });
}
