/** The input of an audience preview: empty, since the campaign determines it. */
import { Input } from '../../../platform/input/input-class.js';

@Input({ rest: 'AudiencePreviewBody' }, { mayBeAbsent: true })
export class AudiencePreviewInput {}
