/** Asks the plan of callers of REST once they are known, before anything that they send is read. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { principalOf } from '../../access/current-principal.decorator.js';
import { callOf } from '../../access/http-call.js';
import { assertMigrates } from '../domain/import-plan.js';

@Injectable()
export class MigrationsPlanGuard implements CanActivate {
  /** @throws DomainError plan_limit_reached with limit_type migrations. */
  canActivate(context: ExecutionContext): boolean {
    assertMigrates(principalOf(callOf(context).request).plan);
    return true;
  }
}
