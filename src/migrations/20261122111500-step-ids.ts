/**
 * Steps of flows have ids, by which trips say where they stand and messages which step asked for them, instead of places
 * in a list: nested steps and later edits have an answer. Trips that somebody ended are terminated, not stopped.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['flows', 'flow_versions', 'trips', 'email_logs'];
/** Rows that one statement writes at most. */
const AT_A_TIME = 20_000;
const LEAST = '00000000-0000-0000-0000-000000000000';

/** The steps with what `changed` makes of each; so far they are a flat list. */
function stepsOf(table: string, changed: string): string {
  return `UPDATE ${table} f SET steps = (
      SELECT jsonb_agg(CASE jsonb_typeof(s.step) WHEN 'object' THEN ${changed} ELSE s.step END ORDER BY s.place)
      FROM jsonb_array_elements(f.steps) WITH ORDINALITY AS s(step, place))`;
}

const HAS_STEPS = `CASE jsonb_typeof(f.steps) WHEN 'array' THEN jsonb_array_length(f.steps) > 0 ELSE false END`;

export class StepIds20261122111500 implements MigrationInterface {
  /**
   * A step's id is its place, from 1. A trip stood before the step of an index, so behind the step whose id is the same
   * number: its column gets another name, and its row stays. A message was of the step of an index, whose id is one more.
   */
  async up(runner: QueryRunner): Promise<void> {
    await unprotected(runner, async () => {
      for (const table of ['flows', 'flow_versions'])
        await inBites(
          runner,
          table,
          stepsOf(table, `s.step || jsonb_build_object('id', s.place)`),
          HAS_STEPS,
        );
      await runner.query('ALTER TABLE trips RENAME COLUMN step TO last_step');
      await rename(runner, 'stopped', 'terminated');
      await shiftMessages(runner, 1);
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotected(runner, async () => {
      await shiftMessages(runner, -1);
      await rename(runner, 'terminated', 'stopped');
      await runner.query('ALTER TABLE trips RENAME COLUMN last_step TO step');
      for (const table of ['flows', 'flow_versions'])
        await inBites(runner, table, stepsOf(table, `s.step - 'id'`), HAS_STEPS);
    });
  }
}

/** The owner of the tables is bound by their policies, so they are lifted for the moment. */
async function unprotected(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  for (const table of TABLES) await runner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await work();
  for (const table of TABLES) await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}

async function rename(runner: QueryRunner, from: string, to: string): Promise<void> {
  await inBites(runner, 'trips', `UPDATE trips f SET status = '${to}'`, `f.status = '${from}'`);
}

/** The index would refuse a message that takes the place of one that has not moved on yet. */
async function shiftMessages(runner: QueryRunner, by: number): Promise<void> {
  await runner.query('DROP INDEX email_logs_of_origin');
  await inBites(
    runner,
    'email_logs',
    `UPDATE email_logs f SET origin_step = f.origin_step + ${by}`,
    `f.origin = 'trip'`,
  );
  await runner.query(
    'CREATE UNIQUE INDEX email_logs_of_origin ON email_logs (workspace_id, origin_id, origin_step, origin, contact_id)',
  );
}

/** Does an update of a table `f` to the rows of a condition, so many rows of the primary key at a time. */
async function inBites(runner: QueryRunner, table: string, update: string, condition: string): Promise<void> {
  let after: readonly [string, string] | undefined = [LEAST, LEAST];
  while (after) {
    const [border] = (await runner.query(
      `SELECT workspace_id, id FROM ${table} WHERE (workspace_id, id) > ($1, $2)
       ORDER BY workspace_id, id OFFSET ${AT_A_TIME - 1} LIMIT 1`,
      [...after],
    )) as { workspace_id: string; id: string }[];
    const within: string = border ? 'AND (f.workspace_id, f.id) <= ($3, $4)' : '';
    const next: readonly [string, string] | undefined = border && [border.workspace_id, border.id];
    await runner.query(`${update} WHERE (f.workspace_id, f.id) > ($1, $2) ${within} AND ${condition}`, [
      ...after,
      ...(next ?? []),
    ]);
    after = next;
  }
}
