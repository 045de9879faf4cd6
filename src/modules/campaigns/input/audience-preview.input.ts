/** Nothing is said of the preview of an audience: it is the campaign's. */
import { Input } from '../../../platform/input/input-class.js';

@Input({ rest: 'AudiencePreviewBody' }, { mayBeAbsent: true })
export class AudiencePreviewInput {}
