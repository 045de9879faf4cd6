/** Migrations are of the plans above Free (section 4.9). */
import { assertWithin, planOf } from '../../limits/domain/plan.js';

/** @throws DomainError plan_limit_reached with limit_type migrations. */
export function assertMigrates(plan: string): void {
  assertWithin('migrations', 0, planOf(plan));
}
