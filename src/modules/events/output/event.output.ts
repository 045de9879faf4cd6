/** The responses of event ingestion, section 4.10. */
import { Out, Output } from '../../../platform/output/output-class.js';

@Output({ rest: 'EventResponse' })
export class EventOutput {
  @Out('ID') eventId: string;
  @Out('String', { example: 'accepted' }) status: 'accepted';
}

@Output({ rest: 'EventErrorResponse' })
class EventErrorOutput {
  @Out('Int', { example: 3 }) index: number;
  @Out('String', { example: 'invalid_event_name' }) code: string;
  @Out('String') detail: string;
}

@Output({ rest: 'EventBatchResponse' })
export class EventBatchOutput {
  @Out('Int', { example: 49 }) accepted: number;
  @Out('Int', { example: 1 }) rejected: number;
  @Out([EventErrorOutput]) errors: readonly EventErrorOutput[];
}
