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
import { inspectionBlocked, MOST_NOTICES } from '../domain/gate/inspection-blocked.js';
import { InlineInspections } from './inline-inspections.js';
import { PreSendFacts } from './pre-send-facts.js';

/** Maximum number of attempts of a change whose templates are saved again during their inspection. */
const MOST_ATTEMPTS = 5;
/** Milliseconds that one call may spend on inspections. */
export const LONGEST_EXAMINING = MINUTE;
/** Seconds until a retry of a call that ran out of time finds more versions inspected. */
const RETRY_AFTER = 5;

/** The options of a call. */
export interface GateCall {
  /** Override tokens. */
  readonly tokens: readonly string[];
  /** Aborts the inspections; a timeout of LONGEST_EXAMINING if absent. */
  readonly signal?: AbortSignal;
}

/** For a call without tokens. */
export const NO_TOKENS: GateCall = { tokens: [] };

/**
 * Call it in the transaction that sends these templates.
 * @throws DomainError inspection_blocked.
 */
export type AssertMaySend = (tx: Transaction, templates: readonly GatedTemplate[]) => Promise<void>;

/** The result of a change, and the findings in the templates that it sends nevertheless. */
export interface Gated<Result> {
  readonly result: Result;
  /** At most MOST_NOTICES. */
  readonly warnings: readonly GateNotice[];
}

/** Rolls back the transaction because versions must be inspected before the gate can decide. */
class Unexamined extends Error {
  constructor(readonly templates: readonly GatedTemplate[]) {
    super('Some template versions were never inspected.');
  }
}

@Injectable()
export class PreSendGate {
  constructor(
    private readonly facts: PreSendFacts,
    private readonly inspections: InlineInspections,
  ) {}

  /**
   * Makes a change that sends templates.
   * @param change opens its own transaction and calls the given function in it; it may run more than once.
   * @throws DomainError inspection_blocked; service_unavailable if inspections take too long; what `change` throws.
   */
  async around<Result>(
    scope: TenantScope,
    { tokens, signal = AbortSignal.timeout(LONGEST_EXAMINING) }: GateCall,
    change: (assertMaySend: AssertMaySend) => Promise<Result>,
  ): Promise<Gated<Result>> {
    const tried = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      let warnings: readonly GateNotice[] = [];
      try {
        const result = await change(async (tx, templates) => {
          const judgement = judge(templates, await this.facts.of(tx, scope, templates, tokens));
          const { uninspected, blocked } = judgement;
          const untried = uninspected.filter((template) => !tried.has(versionKey(template)));
          if (untried.length > 0) throw new Unexamined(untried);
          if (blocked.length + uninspected.length > 0) throw inspectionBlocked(blocked, uninspected);
          warnings = judgement.warnings.slice(0, MOST_NOTICES);
        });
        return { result, warnings };
      } catch (error) {
        if (!(error instanceof Unexamined)) throw error;
        if (attempt === MOST_ATTEMPTS) throw tooSlow();
        await this.examine(scope, error.templates, signal);
        for (const template of error.templates) tried.add(versionKey(template));
      }
    }
  }

  /**
   * Inspects versions with quick runs, free of charge, outside of any transaction. A failure counts as a failed run.
   * @throws DomainError service_unavailable once the signal aborts it; the runs finished by then are stored.
   */
  async examine(scope: TenantScope, templates: readonly GatedTemplate[], signal: AbortSignal): Promise<void> {
    for (const template of templates) {
      if (signal.aborted) throw tooSlow();
      await this.inspections.inspect(scope, template, signal);
    }
    if (signal.aborted) throw tooSlow();
  }
}

/** The key of a version. */
function versionKey({ id, version }: GatedTemplate): string {
  return `${id}@${version}`;
}

function tooSlow(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Inspecting the templates that were never inspected takes too long: try again.',
    { retry_after: RETRY_AFTER },
  );
}
