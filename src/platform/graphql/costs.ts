/**
 * What fields of GraphQL cost by themselves: the `complexity` of every query, mutation and field that asks the database
 * or computes. A request may cost 5,000, so that no request asks for more than a few of the dear ones. What is inside
 * of a field is added, as often as its list is long.
 */
export const COST = {
  /** A record by its id, or many of them in one look-up for all parents. */
  record: 5,
  /** A body of up to megabytes. */
  body: 20,
  /** A page of a list that an index gives. */
  list: 50,
  /** A page of a list whose total, search or order may read a tenant's rows through. */
  search: 250,
  /** Something that is computed: a template read, rendered, examined or compared. */
  computation: 1_000,
  /** Mails that go out at once; the hourly allowance counts their recipients. */
  mails: 1_500,
  /** A flow tried upon months of events: one in a request. */
  simulation: 2_600,
  /** A question about everybody and all that they did. */
  everybody: 1_000,
  /** A change of one record. */
  change: 100,
  /** A change of all that hangs on a record. */
  sweep: 500,
} as const;
