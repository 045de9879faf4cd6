/** Helpers of the dead letter tests: the list as people see it, flows and trips, and rows that PostgreSQL rejects. */
import type pg from 'pg';
import type { TestWorkspace } from '../support/app.js';

export interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly code: string;
  readonly reason: string;
  readonly at: string;
}

export const LIST = `query ($first: Int = 25, $after: String) { setAsideWork(first: $first, after: $after) {
  totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id kind subjectId code reason at } } } }`;
export const RETRY = 'mutation ($id: ID!) { retrySetAsideWork(id: $id) { id kind isPutBack } }';

export async function listed(workspace: TestWorkspace): Promise<Listed[]> {
  const { body } = await workspace.graphql(LIST);
  return body.data.setAsideWork.edges.map(({ node }: { node: Listed }) => node);
}

export async function activeFlow(
  workspace: TestWorkspace,
  trigger: string,
  steps: object[],
): Promise<string> {
  const flow = { name: trigger, trigger_event: trigger, content_type: 'transactional', steps };
  const { body } = await workspace.call('POST', '/v1/flows', flow);
  expect((await workspace.call('POST', `/v1/flows/${body.id}/activate`)).status).toBe(200);
  return body.id;
}

export async function tripsOf(workspace: TestWorkspace, flowId: string): Promise<any[]> {
  return (await workspace.call('GET', `/v1/flows/${flowId}/trips`)).body.trips;
}

export async function rowOf<Row extends object>(
  admin: pg.Client,
  sql: string,
  values: unknown[],
): Promise<Row> {
  const { rows } = await admin.query<Row>(sql, values);
  if (!rows[0]) throw new Error('There is no such row.');
  return rows[0];
}

/**
 * Whether there is a dead letter. Reads the table, because polls of the API would use up the workspace's rate
 * limit.
 */
export async function isAside(admin: pg.Client, workspace: TestWorkspace): Promise<boolean> {
  const { n } = await rowOf<{ n: number }>(
    admin,
    'SELECT count(*)::int AS n FROM set_aside_work WHERE workspace_id = $1',
    [workspace.id],
  );
  return n > 0;
}

/** Makes the database reject a change of a row, as long as the trigger exists. */
export async function refusing(
  admin: pg.Client,
  table: string,
  when: string,
  event: 'INSERT' | 'UPDATE' | 'DELETE',
  errcode: string,
): Promise<() => Promise<void>> {
  await admin.query(`CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'poison' USING ERRCODE = '${errcode}'; END $$;
    CREATE TRIGGER poison BEFORE ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION poison()`);
  return async () => void (await admin.query('DROP FUNCTION poison() CASCADE'));
}
