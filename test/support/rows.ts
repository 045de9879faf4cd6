/** Builds a row that any table accepts, from the catalogue, for tests that must also hold for future tables. */
import type { Client } from 'pg';

const SAMPLES: Readonly<Record<string, unknown>> = {
  uuid: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
  text: 'x',
  bool: true,
  int2: 1,
  int4: 1,
  int8: 1,
  float8: 1,
  jsonb: '{}',
  _text: [],
  _int4: [],
  bytea: Buffer.from('x'),
  _bytea: [],
  date: '2026-01-01',
  timestamptz: new Date('2026-01-01T00:00:00.000Z'),
};

/**
 * Values for every required column.
 * @param given values that the row must have.
 */
export async function rowOf(
  admin: Client,
  table: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { rows } = await admin.query<{ name: string; type: string }>(
    `SELECT column_name AS name, udt_name AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL
       AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  const row: Record<string, unknown> = {};
  for (const { name, type } of rows) {
    const sample = name === 'environment' ? 'live' : SAMPLES[type];
    if (sample === undefined) throw new Error(`No sample for ${table}.${name} of type ${type}.`);
    row[name] = given[name] ?? sample;
  }
  return row;
}
