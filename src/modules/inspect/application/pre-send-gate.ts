/**
 * The gate before whatever sends templates (section 4.7: blocking): activating a flow, sending or scheduling a campaign. It
 * is asked in the transaction that sends, so that it judges the versions that are sent. What was never examined is
 * examined between two attempts of that transaction, never inside of one: links are opened meanwhile.
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

/** Attempts of a change whose templates are saved anew while they are examined. */
const MOST_ATTEMPTS = 5;
/** Milliseconds for which one call may examine what it sends. */
export const LONGEST_EXAMINING = MINUTE;
/** Seconds after which a call that was given up finds more examined than before. */
const RETRY_AFTER = 5;

/** What was sent along with a call. */
export interface GateCall {
  /** Override tokens. */
  readonly tokens: readonly string[];
  /** Ends the examining; LONGEST_EXAMINING where there is none. */
  readonly signal?: AbortSignal;
}

/** Of a call that nothing was sent along with. */
export const NO_TOKENS: GateCall = { tokens: [] };

/** Asked in the transaction that sends these templates. @throws DomainError inspection_blocked. */
export type AssertMaySend = (tx: Transaction, templates: readonly GatedTemplate[]) => Promise<void>;

/** What a change came to, and what is wrong with the templates that it sends all the same. */
export interface Gated<Result> {
  readonly result: Result;
  /** At most MOST_NOTICES. */
  readonly warnings: readonly GateNotice[];
}

/** That versions are to be examined before anything can be said; undoes the transaction. */
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
   * @param change opens its own transaction, and asks there what it is given; it may run again.
   * @throws DomainError inspection_blocked; service_unavailable where examining takes too long; what `change` throws.
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
   * Examines versions quickly and free of charge, outside of any transaction; one that fails is a run that failed.
   * @throws DomainError service_unavailable once the signal has ended it: what was examined by then is kept.
   */
  async examine(scope: TenantScope, templates: readonly GatedTemplate[], signal: AbortSignal): Promise<void> {
    for (const template of templates) {
      if (signal.aborted) throw tooSlow();
      await this.inspections.inspect(scope, template, signal);
    }
    if (signal.aborted) throw tooSlow();
  }
}

/** Names a version. */
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
