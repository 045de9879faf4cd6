/**
 * The gate before templates are sent (section 4.7: blocking): before a flow is activated, and before a campaign is sent
 * or scheduled. It decides in the transaction that sends, about exactly the versions that are sent. A version that was
 * never inspected is inspected between two attempts of that transaction, never inside one, because an inspection opens
 * links.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { MINUTE } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { type GatedTemplate, type GateNotice, judge } from '../domain/gate/gate.js';
import { inspectionBlocked, MAX_NOTICES } from '../domain/gate/inspection-blocked.js';
import { InlineInspections } from './inline-inspections.js';
import { GateInputLoader } from './gate-input-loader.js';

/** Maximum number of attempts of a change whose templates are saved again during their inspection. */
const MAX_ATTEMPTS = 5;
/** Milliseconds that one call may spend on inspections. */
export const INSPECTION_TIMEOUT_MS = MINUTE;
/** Seconds until a retry of a call that ran out of time finds more versions inspected. */
const RETRY_AFTER_SECONDS = 5;

/** The options of a call. */
export interface GateOptions {
  /** Override tokens. */
  readonly tokens: readonly string[];
  /** Aborts the inspections; a timeout of INSPECTION_TIMEOUT_MS if absent. */
  readonly signal?: AbortSignal;
}

/** For a call without tokens. */
export const NO_TOKENS: GateOptions = { tokens: [] };

/**
 * Call it in the transaction that sends these templates, before it writes anything.
 * @returns false if versions have to be inspected first; the transaction must then end without a change.
 * @throws DomainError inspection_blocked.
 */
export type MaySend = (tx: Transaction, templates: readonly GatedTemplate[]) => Promise<boolean>;

/** The result of a change, and the findings in the templates that it sends nevertheless. */
export interface Gated<Result> {
  readonly result: Result;
  /** At most MAX_NOTICES. */
  readonly warnings: readonly GateNotice[];
}

@Injectable()
export class PreSendGate {
  constructor(
    private readonly inputs: GateInputLoader,
    private readonly inspections: InlineInspections,
  ) {}

  /**
   * Makes a change that sends templates.
   * @param change opens its own transaction and calls the given function in it; it may run more than once. It returns
   *   undefined, and has changed nothing, if the function returned false.
   * @throws DomainError inspection_blocked; service_unavailable if inspections take too long; what `change` throws.
   */
  async guard<Result extends object>(
    scope: TenantScope,
    { tokens, signal = AbortSignal.timeout(INSPECTION_TIMEOUT_MS) }: GateOptions,
    change: (maySend: MaySend) => Promise<Result | undefined>,
  ): Promise<Gated<Result>> {
    const attempted = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      let warnings: readonly GateNotice[] = [];
      let unattempted: readonly GatedTemplate[] = [];
      const result = await change(async (tx, templates) => {
        const judgement = judge(templates, await this.inputs.load(tx, scope, templates, tokens));
        const { uninspected, blocked } = judgement;
        unattempted = uninspected.filter((template) => !attempted.has(versionKey(template)));
        if (unattempted.length > 0) return false;
        if (blocked.length + uninspected.length > 0) throw inspectionBlocked(blocked, uninspected);
        warnings = judgement.warnings.slice(0, MAX_NOTICES);
        return true;
      });
      if (result) return { result, warnings };
      if (attempt === MAX_ATTEMPTS) throw inspectionTimeout();
      await this.inspectVersions(scope, unattempted, signal);
      for (const template of unattempted) attempted.add(versionKey(template));
    }
  }

  /**
   * Inspects versions with quick runs, free of charge, outside of any transaction. A failure counts as a failed run.
   * @throws DomainError service_unavailable once the signal aborts it; the runs finished by then are stored.
   */
  async inspectVersions(
    scope: TenantScope,
    templates: readonly GatedTemplate[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const template of templates) {
      if (signal.aborted) throw inspectionTimeout();
      await this.inspections.inspect(scope, template, signal);
    }
    if (signal.aborted) throw inspectionTimeout();
  }
}

/** The key of a version. */
function versionKey({ id, version }: GatedTemplate): string {
  return `${id}@${version}`;
}

function inspectionTimeout(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Inspecting the templates that were never inspected takes too long: try again.',
    { retry_after: RETRY_AFTER_SECONDS },
  );
}
