/**
 * The costs of GraphQL fields: the `complexity` of every query, mutation and field that queries the database or
 * computes. A request may cost 5,000, so that none contains more than a few expensive fields. The cost of nested fields
 * is added, multiplied by the length of the list.
 */
export const COST = {
  /** A record by id, or one batched lookup for many parents. */
  record: 5,
  /** A body of up to megabytes. */
  body: 20,
  /** A page of a list that an index supports. */
  list: 50,
  /** A page of a list whose total, search or order may scan all rows of a tenant. */
  search: 250,
  /** A computation: a template that is parsed, rendered, checked or compared. */
  computation: 1_000,
  /** Messages that are sent immediately; the hourly limit counts their recipients. */
  emails: 1_500,
  /** A simulation of a flow on months of events: one per request. */
  simulation: 2_600,
  /** A query about all contacts and all of their activity. */
  wholeTenant: 1_000,
  /** A change of one record. */
  change: 100,
  /** A change of everything that belongs to a record. */
  sweep: 500,
} as const;
