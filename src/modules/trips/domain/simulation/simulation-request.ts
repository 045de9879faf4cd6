/** A request to simulate a flow on a period of the past. */
import type { NewFlow } from '../../../flows/domain/flow.js';

/** What to simulate: a stored flow, an unsaved draft, or a draft of a change to a stored flow. */
export interface SimulationRequest {
  /** The flow whose goals and earlier trips count. Its definition counts, too, if no draft is given. */
  readonly flowId: string | null;
  readonly draft: NewFlow | null;
  readonly from: Date;
  /** The end of the period, exclusive; null for now. */
  readonly to: Date | null;
  /** Whether to ignore contacts' trips before the period, as if the flow were new. */
  readonly isFresh: boolean;
}
