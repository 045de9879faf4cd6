/** Asks the plan of callers of GraphQL, field by field. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { principalOf } from '../../access/current-principal.decorator.js';
import { callOf } from '../../access/http-call.js';
import { assertMigrates } from '../domain/import-plan.js';

@Injectable()
export class MigrationFieldsGuard implements CanActivate {
  /** @throws DomainError plan_limit_reached with limit_type migrations. */
  canActivate(context: ExecutionContext): boolean {
    assertMigrates(principalOf(callOf(context).request).plan);
    return true;
  }
}
