/** Migrations are of the paid plans (section 4.9): asked once the caller is known, before anything that was sent is read. */
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { principalOf } from '../../access/current-principal.decorator.js';
import { callOf } from '../../access/http-call.js';
import { assertWithin, planOf } from '../../limits/domain/plan.js';

@Injectable()
export class MigrationsPlanGuard implements CanActivate {
  /** @throws DomainError plan_limit_reached with limit_type migrations. */
  canActivate(context: ExecutionContext): boolean {
    const { plan } = principalOf(callOf(context).request);
    assertWithin('migrations', 0, planOf(plan));
    return true;
  }
}
