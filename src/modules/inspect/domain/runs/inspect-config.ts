/** How a workspace has its templates examined (section 4.7: config). */
import { RENDER_CLIENTS, type RenderClient } from '../rendering/render-client.js';
import { CATEGORY_LETTERS } from '../rules/rule.js';

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

/** What a caller says of it: what is left out stays. */
export type ConfigChange = { readonly [Name in keyof InspectConfig]?: InspectConfig[Name] | undefined };

/** The config after a change; each client and code once. */
export function changedConfig(config: InspectConfig, change: ConfigChange): InspectConfig {
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed: InspectConfig = { ...config, ...named };
  return {
    ...changed,
    renderClients: RENDER_CLIENTS.filter((client) => changed.renderClients.includes(client)),
    snoozedCodes: [...new Set(changed.snoozedCodes)].sort(),
  };
}

/** Codes that a workspace may have unreported: more than there are. */
export const MOST_SNOOZED_CODES = 500;

const LETTERS = Object.values(CATEGORY_LETTERS).join('|');
const CODE = new RegExp(`^(?:${LETTERS})\\d{3}$`);

/** Whether a text is a code as findings have them, also one that no rule has yet. */
export function isFindingCode(text: string): boolean {
  return CODE.test(text);
}
