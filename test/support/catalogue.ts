/**
 * Describes the structure of a database (everything but its rows) from the system catalogue, to compare two databases.
 */
import type { Client } from 'pg';

/** Each line of the catalogue names its object. BullMQ's own schema is left out. */
const QUESTIONS: Readonly<Record<string, string>> = {
  columns: `
    SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
      a.attidentity, a.attgenerated, a.attcollation
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace = 'public'::regnamespace`,
  tables: `
    SELECT c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, pg_get_userbyid(c.relowner),
      ARRAY(SELECT x::text FROM unnest(c.relacl) x ORDER BY 1)
    FROM pg_class c WHERE c.relkind <> 'i' AND c.relnamespace = 'public'::regnamespace`,
  indexes: `SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'`,
  constraints: `
    SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace`,
  policies: `SELECT tablename, policyname, permissive, roles, cmd, qual, with_check FROM pg_policies WHERE schemaname = 'public'`,
  columnGrants: `
    SELECT attrelid::regclass, attname, ARRAY(SELECT x::text FROM unnest(attacl) x ORDER BY 1) FROM pg_attribute
    WHERE attacl IS NOT NULL AND NOT attisdropped`,
  triggers: `SELECT tgrelid::regclass, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`,
  functions: `
    SELECT p.proname, pg_get_functiondef(p.oid) FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')`,
};

/** The catalogue of the database, in a fixed order. */
export async function catalogueOf(admin: Client): Promise<Record<string, string[]>> {
  const catalogue: Record<string, string[]> = {};
  for (const [what, sql] of Object.entries(QUESTIONS)) {
    const { rows } = await admin.query<unknown[]>({ text: sql, rowMode: 'array' });
    catalogue[what] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return catalogue;
}
