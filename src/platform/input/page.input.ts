/** Which page of a list is asked for: by place in GraphQL, whose lists are connections, and by count in REST. */
import { SORT_ORDERS } from '../../kernel/sort-order.js';
import { graphqlEnum } from './enums.js';
import { Sought, Whole } from './fields.js';
import { Arguments } from './input-class.js';

export const LARGEST_PAGE = 100;
const USUAL_PAGE = 25;
/** Of a list within each record of a list. */
export const NESTED_PAGE = 10;
/** The largest number of PostgreSQL's `integer`. */
const LAST_RECORD = 2_147_483_647;

const FIRST = { min: 1, max: LARGEST_PAGE, description: `From 1 to ${LARGEST_PAGE}.` } as const;

export const SortOrderEnum = graphqlEnum('SortOrder', SORT_ORDERS);

@Arguments()
export class PageArgs {
  @Whole({ ...FIRST, fallback: USUAL_PAGE }) first: number;
  @Sought({ optional: true, description: 'Cursor after which the page starts.' }) after?: string;
}

/** As `PageArgs`, for lists within lists. */
@Arguments()
export class NestedPageArgs extends PageArgs {
  @Whole({ ...FIRST, fallback: NESTED_PAGE }) declare first: number;
}

/** How many records of a list REST shows. */
export function Limit(usual: number, most: number): PropertyDecorator {
  return Whole({ only: 'rest', min: 1, max: most, fallback: usual });
}

/** How many records of a list REST skips. */
export function Offset(): PropertyDecorator {
  return Whole({ only: 'rest', min: 0, max: LAST_RECORD, fallback: 0 });
}
