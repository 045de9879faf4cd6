/** Examines a version at once, for the gate before it is sent. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { GatedTemplate } from '../domain/gate.js';

export abstract class InlineInspections {
  /**
   * Makes a quick run, free of charge, outside of any transaction, and stores what it comes to; a template that is gone
   * or has another version by now is left as it is.
   * @param signal ends the run, which is a failed one then.
   */
  abstract inspect(scope: TenantScope, template: GatedTemplate, signal: AbortSignal): Promise<void>;
}
