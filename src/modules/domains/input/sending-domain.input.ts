/** Input for adding a sending domain. */
import { Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { readDomainName } from '../domain/domain-name.js';

@Arguments()
export class AddSendingDomainArgs {
  @Text({
    min: 1,
    max: 255,
    check: (text) => {
      const read = readDomainName(text);
      return read.kind === 'refused' ? read.message : undefined;
    },
    description: 'For example example.com. Internationalized names are accepted.',
  })
  domain: string;
}
