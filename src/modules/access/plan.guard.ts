/** Asks the plan of callers once they are known, before anything that they send is read. */
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { principalOf } from './current-principal.decorator.js';
import { callOf } from './http-call.js';

export class PlanGuard implements CanActivate {
  /** @param assertFits throws where a plan, given by its name, does not have what is asked for. */
  constructor(private readonly assertFits: (plan: string) => void) {}

  canActivate(context: ExecutionContext): boolean {
    this.assertFits(principalOf(callOf(context).request).plan);
    return true;
  }
}
