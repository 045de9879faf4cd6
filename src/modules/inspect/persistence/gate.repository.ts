/**
 * Loads what is known of templates that are about to be sent: the runs of their versions, and the open critical
 * findings.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { type GatedTemplate, type GateFinding, NO_SUBJECT } from '../domain/gate/gate.js';
import { MAX_NOTICES } from '../domain/gate/inspection-blocked.js';
import { RETAINED_RUNS_WITH_FINDINGS } from '../domain/runs/run-bounds.js';

/** The latest run of a version that counts for the gate. */
export interface InspectedVersion {
  readonly templateId: string;
  readonly jobId: string;
  /** If the latest run is a quick one, the latest full run of the version: only full runs check renderings. */
  readonly fullJobId: string | null;
  readonly score: number | null;
  readonly completedAt: Date;
}

/** The latest run of any version. */
export interface LastRun {
  readonly version: number;
  readonly completedAt: Date;
}

/**
 * Of the latest runs of a template whose findings are stored, those that count for the gate: completed runs of its
 * email, without a contact's data. A run that was given a subject has inspected the template's own subject too.
 */
const gateRunsOf = (templateId: string): string => `(
  SELECT * FROM (
    SELECT id, template_version, channel, mode, status, own_subject_examined, contact_given, score, created_at, completed_at
    FROM inspect_jobs
    WHERE workspace_id = $1 AND template_id = ${templateId} AND due_at IS NULL
    ORDER BY created_at DESC, id DESC LIMIT ${RETAINED_RUNS_WITH_FINDINGS}) AS latest
  WHERE channel = 'email' AND status = 'completed' AND own_subject_examined AND NOT contact_given)`;

/** The findings of the latest run, and those of an earlier full run in categories that quick runs do not check. */
const FOUND_NOW_OR_IN_FULL = `(found.job_id = run.id
  OR found.job_id = run.full_id AND found.category IN ('rendering', 'dark_mode') AND NOT EXISTS (
    SELECT FROM inspect_findings AS again WHERE again.workspace_id = $1 AND again.job_id = run.id
      AND again.code = found.code AND again.target = found.target))`;

@Injectable()
export class GateRepository {
  /** The latest run of each template's version; versions that were never inspected are left out. */
  async inspectedVersions(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templates: readonly Pick<GatedTemplate, 'id' | 'version'>[],
  ): Promise<InspectedVersion[]> {
    return tx.query<InspectedVersion>(
      `SELECT asked.id AS "templateId", run.id AS "jobId", whole.id AS "fullJobId", run.score, run.completed_at AS "completedAt"
       FROM unnest($2::uuid[], $3::integer[]) AS asked (id, version)
       CROSS JOIN LATERAL (
         SELECT id, mode, score, completed_at FROM ${gateRunsOf('asked.id')} AS telling
         WHERE template_version = asked.version
         ORDER BY created_at DESC, id DESC LIMIT 1) AS run
       LEFT JOIN LATERAL (
         SELECT id FROM ${gateRunsOf('asked.id')} AS telling
         WHERE template_version = asked.version AND mode = 'full' AND run.mode = 'quick'
         ORDER BY created_at DESC, id DESC LIMIT 1) AS whole ON true`,
      [workspaceId, templates.map(({ id }) => id), templates.map(({ version }) => version)],
    );
  }

  /** The latest run of any version of a template; undefined if there is none. */
  async lastRun(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
  ): Promise<LastRun | undefined> {
    const [run] = await tx.query<LastRun & Record<string, unknown>>(
      `SELECT template_version AS version, completed_at AS "completedAt" FROM ${gateRunsOf('$2')} AS telling
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      [workspaceId, templateId],
    );
    return run;
  }

  /**
   * The critical findings of runs that are open now, at most MAX_NOTICES of each run, in the order of the run,
   * followed by findings in renderings that only the full run of the version has.
   * @param subjectGiven the runs for which a missing subject does not matter.
   */
  async openCritical(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    runs: readonly (Pick<InspectedVersion, 'jobId' | 'fullJobId'> & { readonly subjectGiven: boolean })[],
    snoozedCodes: readonly string[],
    now: Date,
  ): Promise<GateFinding[]> {
    return tx.query<GateFinding & Record<string, unknown>>(
      `SELECT open.id, open."jobId", open."templateId", open.code, open.category, open.message, open.line, open."column",
         open.snippet, open.clients
       FROM unnest($2::uuid[], $3::boolean[], $7::uuid[]) WITH ORDINALITY AS run (id, subject_given, full_id, nth)
       CROSS JOIN LATERAL (
         SELECT found.id, found.job_id AS "jobId", found.template_id AS "templateId", found.code, found.category,
           found.message, found.line, found."column", found.snippet, found.clients, found.place,
           found.job_id <> run.id AS "isEarlier"
         FROM inspect_findings AS found
         LEFT JOIN inspect_marks AS mark ON mark.workspace_id = $1 AND mark.template_id = found.template_id
           AND mark.code = found.code AND mark.target = found.target
         WHERE found.workspace_id = $1 AND ${FOUND_NOW_OR_IN_FULL} AND found.severity = 'critical'
           AND found.subject IS DISTINCT FROM 'examined'
           AND found.code <> ALL ($4::text[]) AND NOT (run.subject_given AND found.code = $5)
           AND (mark.status IS NULL OR (mark.status = 'snoozed' AND mark.snoozed_until <= $6))
         ORDER BY "isEarlier", found.place LIMIT ${MAX_NOTICES}) AS open
       ORDER BY run.nth, open."isEarlier", open.place`,
      [
        workspaceId,
        runs.map(({ jobId }) => jobId),
        runs.map(({ subjectGiven }) => subjectGiven),
        snoozedCodes,
        NO_SUBJECT,
        now,
        runs.map(({ fullJobId }) => fullJobId),
      ],
    );
  }
}
