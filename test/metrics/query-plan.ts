/** What PostgreSQL says of how it ran a statement. */

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

/** The statement that runs another one and tells how. */
export const explaining = (sql: string): string => `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`;

/** All parts of the plan that such a statement answers. */
export function nodesOf([explained]: readonly Explained[]): PlanNode[] {
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
  return all(explained!['QUERY PLAN'][0].Plan);
}

/** Rows that a part has looked at, those that it threw away included. */
export function rowsSeen(node: PlanNode): number {
  return (
    node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0))
  );
}
