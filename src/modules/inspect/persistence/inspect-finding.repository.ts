/** Stores the findings of runs, and reads them together with their marks. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Fix } from '../domain/fixes/apply-edits.js';
import type {
  FindingFilter,
  InspectFinding,
  FindingPageRequest,
} from '../domain/findings/inspect-finding.js';
import { storableJson } from '../domain/findings/storable-text.js';
import type { StoredFinding } from '../domain/findings/stored-finding.js';

const ADD = `
  INSERT INTO inspect_findings (workspace_id, job_id, template_id, id, target, code, category, severity, place, message, line,
    "column", snippet, clients, edits, is_suggestion, subject)
  SELECT $1, $2, $3, f.id, f.target, f.code, f.category, f.severity, f.place, f.message, f.line, f."column", f.snippet,
    f.clients, f.edits, f."isSuggestion", f.subject
  FROM jsonb_to_recordset($4::jsonb) AS f(id uuid, target text, code text, category text, severity text, place integer,
    message text, line integer, "column" integer, snippet text, clients jsonb, edits jsonb,
    "isSuggestion" boolean, subject text)`;

/** The second parameter is now: a snoozed finding is open again once its time is over. */
const STATUS = `CASE WHEN m.status = 'snoozed' AND m.snoozed_until <= $2 THEN 'open' ELSE coalesce(m.status, 'open') END`;
const IS_MARKED = `${STATUS} <> 'open'`;
const SHOWN = `f.id, f.job_id AS "jobId", f.template_id AS "templateId", f.place, f.target, f.code, f.category, f.severity, f.message, f.line,
  f."column", f.snippet, f.clients, f.edits, f.is_suggestion AS "isSuggestion", f.subject, ${STATUS} AS status,
  CASE WHEN ${IS_MARKED} THEN m.snoozed_until END AS "snoozedUntil", CASE WHEN ${IS_MARKED} THEN m.reason END AS reason`;
const FROM = `FROM inspect_findings f LEFT JOIN inspect_marks m ON m.workspace_id = f.workspace_id
  AND m.template_id = f.template_id AND m.code = f.code AND m.target = f.target
  WHERE f.workspace_id = $1`;
const FILTERED = `AND f.job_id = $3 AND ($4::text IS NULL OR f.severity = $4) AND ($5::text IS NULL OR f.category = $5)
  AND ($6::text IS NULL OR f.code = $6) AND ($7::text IS NULL OR ${STATUS} = $7) AND f.code <> ALL ($8::text[]) AND f.subject IS DISTINCT FROM 'template'`;

/** A finding without the texts of its rule. */
export type FindingRow = Omit<InspectFinding, 'title' | 'fix'>;
type Row = FindingRow & Record<string, unknown>;

/** The fix of a finding, for the version of the template that its run inspected. */
export interface StoredFix extends Fix {
  readonly code: string;
  readonly version: number;
}

/** What the status of findings depends on when they are read. */
interface AsOf {
  readonly now: Date;
  readonly ignoredCodes: readonly string[];
}

@Injectable()
export class InspectFindingRepository {
  /** Stores the findings of a run, in its order. */
  async add(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    { jobId, templateId }: { readonly jobId: string; readonly templateId: string },
    findings: readonly (StoredFinding & { readonly id: string })[],
  ): Promise<void> {
    if (findings.length === 0) return;
    const rows = findings.map(({ title: _title, fix: _fix, ...finding }, place) => ({ ...finding, place }));
    await tx.execute(ADD, [workspaceId, jobId, templateId, storableJson(rows)]);
  }

  /**
   * A page of a run's findings with their current status, most severe first.
   * @param ignoredCodes codes that are left out.
   */
  async page(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    jobId: string,
    { severity, category, code, status }: FindingFilter,
    { limit, offset, after, now, ignoredCodes }: FindingPageRequest & AsOf,
  ): Promise<{ readonly findings: FindingRow[]; readonly total: number }> {
    const filter = [
      workspaceId,
      now,
      jobId,
      severity ?? null,
      category ?? null,
      code ?? null,
      status ?? null,
      ignoredCodes,
    ];
    const findings = await tx.query<Row>(
      `SELECT ${SHOWN} ${FROM} ${FILTERED} AND f.place > $11 ORDER BY f.place LIMIT $9 OFFSET $10`,
      [...filter, limit, offset, after ?? -1],
    );
    const [count] = await tx.query<{ total: number }>(
      `SELECT count(*)::int AS total ${FROM} ${FILTERED}`,
      filter,
    );
    return { findings, total: count?.total ?? 0 };
  }

  /** One finding with its current status. */
  async find(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
    now: Date,
  ): Promise<FindingRow | undefined> {
    const [finding] = await tx.query<Row>(`SELECT ${SHOWN} ${FROM} AND f.id = $3`, [workspaceId, now, id]);
    return finding;
  }

  /** The fixes of these findings of a template, each with the version that its run inspected; in no order. */
  async fixesOf(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    ids: readonly string[],
  ): Promise<StoredFix[]> {
    return tx.query<StoredFix & Record<string, unknown>>(
      `SELECT f.id, f.code, j.template_version AS version, CASE WHEN f.is_suggestion THEN '[]' ELSE coalesce(f.edits, '[]') END AS edits
       FROM inspect_findings f JOIN inspect_jobs j ON j.workspace_id = f.workspace_id AND j.id = f.job_id
       WHERE f.workspace_id = $1 AND f.template_id = $2 AND f.id = ANY ($3::uuid[])`,
      [workspaceId, templateId, ids],
    );
  }

  /** Deletes the findings of runs. */
  async removeOf(tx: Transaction, scope: WorkspaceScope, jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    await tx.execute('DELETE FROM inspect_findings WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', [
      scope.workspaceId,
      jobIds,
    ]);
  }

  /** Reduces the findings of runs to what their codes say: texts of messages may contain personal data. */
  async forgetMessages(
    tx: Transaction,
    scope: WorkspaceScope,
    jobIds: readonly string[],
    titles: ReadonlyMap<string, string>,
  ): Promise<void> {
    await tx.execute(
      `UPDATE inspect_findings f SET message = t.title FROM unnest($3::text[], $4::text[]) AS t(code, title)
       WHERE f.workspace_id = $1 AND f.job_id = ANY ($2::uuid[]) AND f.code = t.code`,
      [scope.workspaceId, jobIds, [...titles.keys()], [...titles.values()]],
    );
  }
}
