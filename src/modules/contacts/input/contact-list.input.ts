/** Filters of the list of contacts, section 4.10: query parameters in REST, arguments in GraphQL. */
import { snakeCase } from '../../../kernel/letter-case.js';
import { SORT_ORDERS, type SortOrder } from '../../../kernel/page-cursor.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { OneOf, SearchText, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { MAX_PAGE_SIZE, PageArgs, SortOrderEnum } from '../../../platform/input/page.input.js';
import { CONTACT_SORTS, MAX_SEARCH_LENGTH, NEWEST_FIRST, type ContactSort } from '../domain/contact-order.js';

export const DEFAULT_PAGE_SIZE = 25;
/** Later pages would cost the database too much for their use. */
const MAX_PAGE_NUMBER = 1_000_000;

const SEARCH = {
  optional: true,
  max: MAX_SEARCH_LENGTH,
  description: 'Matches part of external_id, email, first_name or last_name.',
} as const;
const PAGE_SIZE = { optional: true, min: 1, max: MAX_PAGE_SIZE } as const;
const REQUEST_SORTS = CONTACT_SORTS.map((sort) => snakeCase(sort));

const ContactSortEnum = graphqlEnum('ContactSort', CONTACT_SORTS);

@Input({})
export class ContactListQuery {
  @SearchText(SEARCH) search?: string;
  @Integer({ fallback: 1, min: 1, max: MAX_PAGE_NUMBER }) page: number;
  @Integer({ ...PAGE_SIZE, default: DEFAULT_PAGE_SIZE }) perPage?: number;
  @Integer({ ...PAGE_SIZE, description: 'Alias of per_page.' }) limit?: number;
  @OneOf(REQUEST_SORTS, { fallback: snakeCase(NEWEST_FIRST.by) }) sortBy: (typeof REQUEST_SORTS)[number];
  @OneOf(SORT_ORDERS, { fallback: NEWEST_FIRST.order }) sortOrder: SortOrder;
}

@Arguments()
export class ContactsArgs extends PageArgs {
  @SearchText(SEARCH) search?: string;
  @OneOf(CONTACT_SORTS, { enumType: ContactSortEnum, fallback: NEWEST_FIRST.by }) sortBy: ContactSort;
  @OneOf(SORT_ORDERS, { enumType: SortOrderEnum, fallback: NEWEST_FIRST.order }) sortOrder: SortOrder;
}
