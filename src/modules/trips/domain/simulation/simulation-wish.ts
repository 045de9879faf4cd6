/** Which flow is tried upon which past. */
import type { NewFlow } from '../../../flows/domain/flow.js';

/** What is tried: a flow as it stands, one that nobody has saved, or what would become of a flow. */
export interface SimulationWish {
  /** The flow whose goals and earlier trips count, and whose definition does where no draft is given. */
  readonly flowId: string | null;
  readonly draft: NewFlow | null;
  readonly from: Date;
  /** The first moment that is not looked at; null: until now. */
  readonly to: Date | null;
  /** Whether contacts' trips before the period are left aside, as though the flow were new. */
  readonly isFresh: boolean;
}
