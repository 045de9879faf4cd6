/** Input for the settings of quality analysis (section 4.7: config). */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Flag, OneOf, Texts } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import {
  BLOCKINGS,
  isFindingCode,
  MAX_SNOOZED_CODES,
  SPAM_PROVIDERS,
  type Blocking,
  type ConfigChange,
  type SpamProvider,
} from '../domain/runs/inspect-config.js';
import { RENDER_CLIENTS, type RenderClient } from '../domain/rendering/render-client.js';

export const InspectBlockingEnum = graphqlEnum('InspectBlocking', BLOCKINGS);
export const SpamProviderEnum = graphqlEnum('SpamProvider', SPAM_PROVIDERS);

@Input({ rest: 'InspectConfigBody', graphql: 'InspectConfigInput' }, { nullIsAbsent: true })
export class InspectConfigInput implements ConfigChange {
  @Texts({
    optional: true,
    max: RENDER_CLIENTS.length,
    check: (clients) =>
      clients.every((client) => (RENDER_CLIENTS as readonly string[]).includes(client))
        ? undefined
        : `must only contain ${RENDER_CLIENTS.join(', ')}`,
    description: `Mail programs that full runs render: any of ${RENDER_CLIENTS.join(', ')}.`,
  })
  renderClients?: readonly RenderClient[];

  @Flag({ optional: true, description: 'Whether to start a quick run whenever a template is saved.' })
  autoRunOnSave?: boolean;

  @OneOf(BLOCKINGS, {
    optional: true,
    enumType: InspectBlockingEnum,
    description:
      'What critical findings do when a flow is activated or a campaign is sent: off (nothing), warn (return ' +
      'warnings) or block (reject the request).',
  })
  blocking?: Blocking;

  @OneOf(SPAM_PROVIDERS, { optional: true, enumType: SpamProviderEnum }) spamProvider?: SpamProvider;

  @Texts({
    optional: true,
    max: MAX_SNOOZED_CODES,
    check: (codes) =>
      codes.every(isFindingCode)
        ? undefined
        : 'must contain finding codes: two letters and three digits, such as LK001',
    description: 'Finding codes that are not reported.',
  })
  snoozedCodes?: readonly string[];
}
