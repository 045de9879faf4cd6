/**
 * What an erasure does to runs: the reference to the contact goes, and with it its screenshots and the texts of
 * findings, which may contain its data. A run in progress starts again, with sample values.
 */
import type { ErasedPerson, PersonalDataErasure } from '../../../platform/database/personal-data.js';
import { RULES } from '../domain/rules/catalogue.js';

const contactOf = ({ workspaceId, contactId }: ErasedPerson): string[] => [workspaceId, contactId];
const rules = Object.values(RULES);

export const INSPECT_ERASURES: readonly PersonalDataErasure[] = [
  {
    tables: ['inspect_jobs'],
    sql: 'SELECT FROM inspect_jobs WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id FOR UPDATE',
    values: contactOf,
  },
  {
    tables: ['inspect_screenshots'],
    sql: `DELETE FROM inspect_screenshots WHERE workspace_id = $1 AND job_id IN (
      SELECT id FROM inspect_jobs WHERE workspace_id = $1 AND contact_id = $2)`,
    values: contactOf,
  },
  // The title of the rule remains: what the finding's code says.
  {
    tables: ['inspect_findings'],
    sql: `UPDATE inspect_findings f SET message = t.title FROM unnest($3::text[], $4::text[]) AS t(code, title)
      WHERE f.workspace_id = $1 AND f.code = t.code AND f.job_id IN (
        SELECT id FROM inspect_jobs WHERE workspace_id = $1 AND contact_id = $2)`,
    values: (person) => [
      ...contactOf(person),
      rules.map(({ code }) => code),
      rules.map(({ title }) => title),
    ],
  },
  {
    tables: ['inspect_jobs'],
    kind: 'inspections',
    sql: `UPDATE inspect_jobs SET contact_id = NULL, worker = NULL,
        status = CASE status WHEN 'running' THEN 'queued' ELSE status END,
        due_at = CASE WHEN due_at IS NOT NULL THEN $3::timestamptz END
      WHERE workspace_id = $1 AND contact_id = $2`,
    values: (person) => [...contactOf(person), person.now],
  },
];
