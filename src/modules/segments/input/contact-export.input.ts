/** Input of POST /v1/contacts/export, section 4.10. */
import { OneOf, SearchText } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { EXPORT_FORMATS, type ExportFormat } from '../../contacts/domain/contact.js';

@Input({ rest: 'ContactExportBody' })
export class ContactExportInput {
  @OneOf(EXPORT_FORMATS) format: ExportFormat;

  @SearchText({
    optional: true,
    format: 'uuid',
    description: 'Only contacts currently in this segment.',
  })
  segmentId?: string;
}
