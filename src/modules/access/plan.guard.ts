/** Checks the plan of the authenticated caller before its input is read. */
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { principalOf } from './current-principal.decorator.js';
import { callOf } from './http-call.js';

export class PlanGuard implements CanActivate {
  /** @param assertFits throws if a plan, given by name, lacks the feature. */
  constructor(private readonly assertFits: (plan: string) => void) {}

  canActivate(context: ExecutionContext): boolean {
    this.assertFits(principalOf(callOf(context).request).plan);
    return true;
  }
}
