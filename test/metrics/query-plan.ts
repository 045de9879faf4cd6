/** Reads PostgreSQL's report on how it executed a statement. */

export interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

/** A statement that runs `sql` and returns its plan. */
export const explaining = (sql: string): string => `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`;

/** All nodes of the plan that such a statement returns. */
export function nodesOf([explained]: readonly Explained[]): PlanNode[] {
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
  return all(explained!['QUERY PLAN'][0].Plan);
}

/** Rows that a node has read, including those that it discarded. */
export function rowsSeen(node: PlanNode): number {
  return (
    node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0))
  );
}
