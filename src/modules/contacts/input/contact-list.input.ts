/** Filters of the list of contacts, section 4.10: query parameters in REST, arguments in GraphQL. */
import { snakeCase } from '../../../kernel/letter-case.js';
import { SORT_ORDERS, type SortOrder } from '../../../kernel/sort-order.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { OneOf, Sought, Whole } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { LARGEST_PAGE, PageArgs, SortOrderEnum } from '../../../platform/input/page.input.js';
import { CONTACT_SORTS, LONGEST_SEARCH, NEWEST_FIRST, type ContactSort } from '../domain/contact-order.js';

export const DEFAULT_PAGE = 25;
/** Later pages would cost the database too much for their use. */
const LAST_PAGE = 1_000_000;

const SEARCH = {
  optional: true,
  max: LONGEST_SEARCH,
  description: 'Matches part of external_id, email, first_name or last_name.',
} as const;
const PAGE_SIZE = { optional: true, min: 1, max: LARGEST_PAGE } as const;
const WRITTEN_SORTS = CONTACT_SORTS.map((sort) => snakeCase(sort));

const ContactSortEnum = graphqlEnum('ContactSort', CONTACT_SORTS);

@Input({})
export class ContactListQuery {
  @Sought(SEARCH) search?: string;
  @Whole({ fallback: 1, min: 1, max: LAST_PAGE }) page: number;
  @Whole({ ...PAGE_SIZE, default: DEFAULT_PAGE }) perPage?: number;
  @Whole({ ...PAGE_SIZE, description: 'Alias of per_page.' }) limit?: number;
  @OneOf(WRITTEN_SORTS, { fallback: snakeCase(NEWEST_FIRST.by) }) sortBy: (typeof WRITTEN_SORTS)[number];
  @OneOf(SORT_ORDERS, { fallback: NEWEST_FIRST.order }) sortOrder: SortOrder;
}

@Arguments()
export class ContactsArgs extends PageArgs {
  @Sought(SEARCH) search?: string;
  @OneOf(CONTACT_SORTS, { enumType: ContactSortEnum, fallback: NEWEST_FIRST.by }) sortBy: ContactSort;
  @OneOf(SORT_ORDERS, { enumType: SortOrderEnum, fallback: NEWEST_FIRST.order }) sortOrder: SortOrder;
}
