/** Migrations require a plan above Free (section 4.9). */
import { assertWithin, planOf } from '../../limits/domain/plan.js';

/** Whether a plan includes migrations. */
export function mayMigrate(plan: string): boolean {
  return planOf(plan).caps.migrations > 0;
}

/** @throws DomainError plan_limit_reached with limit_type migrations. */
export function assertMigrates(plan: string): void {
  assertWithin('migrations', 0, planOf(plan));
}
