/**
 * Moves an installation from roles that another installation of the server uses to its own roles: the privileges and
 * policies of one database, as listed in its catalogue.
 */
import type pg from 'pg';
import { type RoleSuffix, SERVICE_ROLES } from './roles.js';

/** Generates statements that grant each privilege of the former roles to the new ones and revoke it from the former. */
const PRIVILEGES = `
WITH roles AS (SELECT r.oid, r.rolname AS former, role || $2::text AS name FROM unnest($3::text[]) AS role JOIN pg_roles r ON r.rolname = role || $1::text),
  lists AS (
    SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, oid::regclass::text AS object, '' AS columns, relacl AS list
    FROM pg_class
    UNION ALL SELECT 'TABLE', attrelid::regclass::text, format(' (%I)', attname), attacl FROM pg_attribute
    UNION ALL SELECT 'FUNCTION', oid::regprocedure::text, '', proacl FROM pg_proc
    UNION ALL SELECT 'SCHEMA', quote_ident(nspname), '', nspacl FROM pg_namespace)
SELECT format('GRANT %1$s ON %2$s TO %3$I; REVOKE %1$s ON %2$s FROM %4$I', privilege_type || columns, kind || ' ' || object, name, former) AS sql
FROM lists, aclexplode(list) JOIN roles ON grantee = roles.oid`;

const POLICIES = `
SELECT format('ALTER POLICY %I ON %s TO %s', polname, polrelid::regclass, string_agg(quote_ident(
  CASE WHEN rolname = ANY (SELECT role || $1::text FROM unnest($3::text[]) AS role) THEN left(rolname, length(rolname) - length($1::text)) || $2::text
  ELSE rolname END), ', ')) AS sql
FROM pg_policy, unnest(polroles) AS member JOIN pg_roles r ON r.oid = member
GROUP BY pg_policy.oid, polname, polrelid HAVING bool_or(rolname = ANY (SELECT role || $1::text FROM unnest($3::text[]) AS role))`;

/** @param queueSchema dropped with all objects of the former role and created again, because it contains only cache. */
export async function moveGrants(
  client: pg.Client,
  former: RoleSuffix,
  suffix: RoleSuffix,
  queueSchema: string,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`DROP SCHEMA IF EXISTS ${queueSchema} CASCADE`);
    for (const statements of [PRIVILEGES, POLICIES]) {
      const { rows } = await client.query<{ sql: string }>(statements, [former, suffix, SERVICE_ROLES]);
      for (const { sql } of rows) await client.query(sql);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
