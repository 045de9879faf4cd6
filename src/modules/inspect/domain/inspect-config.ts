/** How a workspace has its templates examined (section 4.7: config). */
import { RENDER_CLIENTS, type RenderClient } from './render-client.js';

export const BLOCKINGS = ['off', 'warn', 'block'] as const;
export type Blocking = (typeof BLOCKINGS)[number];

export const SPAM_PROVIDERS = ['builtin', 'spamassassin'] as const;
export type SpamProvider = (typeof SPAM_PROVIDERS)[number];

export interface InspectConfig {
  readonly renderClients: readonly RenderClient[];
  readonly autoRunOnSave: boolean;
  readonly blocking: Blocking;
  readonly spamProvider: SpamProvider;
  /** Codes that are not reported. */
  readonly snoozedCodes: readonly string[];
}

export const DEFAULT_CONFIG: InspectConfig = {
  renderClients: RENDER_CLIENTS,
  autoRunOnSave: false,
  blocking: 'warn',
  spamProvider: 'builtin',
  snoozedCodes: [],
};
